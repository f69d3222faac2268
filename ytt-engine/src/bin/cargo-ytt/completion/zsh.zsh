#compdef cargo-ytt
# zsh completion of `cargo ytt` and `cargo-ytt`: a file `_cargo-ytt` in a folder of $fpath, or in ~/.zshrc, behind compinit:
#     source <(cargo-ytt completion zsh)
# What completes cargo itself calls `_cargo-ytt` for `cargo ytt`.

_cargo-ytt() {
    if (( CURRENT > 2 )) && [[ $words[1] == *cargo-ytt && $words[2] == ytt ]]; then
        shift words
        (( CURRENT -= 1 ))
    fi
    local -a commands
    commands=(
@COMMANDS@
    )
    local command=
    (( CURRENT > 2 )) && command=$words[2]
    case $command in
@ARMS@
    esac
}

_cargo-ytt-commands() {
    _describe -t commands command commands
    _files
}

# For a cargo that nobody else completes.
_cargo-ytt-of-cargo() {
    if (( CURRENT > 2 )) && [[ $words[2] == ytt ]]; then
        shift words
        (( CURRENT -= 1 ))
        _cargo-ytt
    else
        compadd ytt
        _default
    fi
}

if [[ $funcstack[1] == _cargo-ytt ]]; then
    _cargo-ytt "$@"
else
    compdef _cargo-ytt cargo-ytt
    (( $+_comps[cargo] )) || compdef _cargo-ytt-of-cargo cargo
fi
