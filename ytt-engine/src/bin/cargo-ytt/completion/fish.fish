# fish completion of `cargo ytt` and `cargo-ytt`. In ~/.config/fish/config.fish:
#     cargo-ytt completion fish | source

# Is the command behind `ytt` one of these? `root` is none.
function __cargo_ytt_at
    set -l words (commandline -opc)
    set -l program (string replace -r '.*/' '' -- $words[1])
    set -e words[1]
    if test "$program" = cargo
        while string match -qr '^[-+]' -- "$words[1]"
            set -e words[1]
        end
        test "$words[1]" = ytt; or return 1
    end
    test "$words[1]" = ytt; and set -e words[1]
    set -l command root
    contains -- "$words[1]" @COMMANDS@; and set command $words[1]
    contains -- $command $argv
end

# Is nothing behind `ytt` yet?
function __cargo_ytt_first
    __cargo_ytt_at root; and test (commandline -opc)[-1] = ytt -o (count (commandline -opc)) -eq 1
end

complete -c cargo -n __fish_use_subcommand -a ytt -d '@ABOUT@'
for program in cargo cargo-ytt
@LINES@
end
