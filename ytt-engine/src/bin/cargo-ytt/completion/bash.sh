# bash completion of `cargo ytt` and `cargo-ytt`. In ~/.bashrc, behind what completes cargo itself:
#     source <(cargo-ytt completion bash)

# Completes what stands behind `ytt`; $1 is the number of the first such word.
_cargo_ytt_words() {
    local first="$1" word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
    local command="" flags="" words="" files="yes"
    # `--flag=value` comes as three words.
    [[ $word == "=" ]] && word=""
    [[ $before == "=" ]] && before="${COMP_WORDS[COMP_CWORD-2]}"
    ((COMP_CWORD > first)) && command="${COMP_WORDS[first]}"
    case "$command" in
@ARMS@
    esac
    ((COMP_CWORD == first)) && words="@COMMANDS@"
    case "$before" in
@CHOICES@
    esac
    [[ $word == -* ]] && words="$flags" files=""
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    if [[ -n $files ]]; then
        local IFS=$'\n'
        COMPREPLY+=($(compgen -f -- "$word"))
        type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null
    fi
    return 0
}

_cargo_ytt() {
    local first=1
    [[ ${COMP_WORDS[1]} == ytt ]] && ((COMP_CWORD > 1)) && first=2
    _cargo_ytt_words "$first"
}
complete -F _cargo_ytt cargo-ytt

# `cargo ytt …`; anything else of cargo goes to whoever completed it before.
_cargo_ytt_of_cargo() {
    local at=1
    while ((at < COMP_CWORD)) && [[ ${COMP_WORDS[at]} == [-+]* ]]; do
        ((at += 1))
    done
    if ((at < COMP_CWORD)) && [[ ${COMP_WORDS[at]} == ytt ]]; then
        _cargo_ytt_words "$((at + 1))"
        return
    fi
    local status=0 known
    COMPREPLY=()
    if [[ -n ${_cargo_ytt_before-} ]]; then
        "$_cargo_ytt_before" "$@"
        status=$?
    fi
    if ((at == COMP_CWORD)) && [[ -n ${COMP_WORDS[at]} && ytt == "${COMP_WORDS[at]}"* ]]; then
        for known in "${COMPREPLY[@]}"; do
            [[ $known == ytt ]] && return "$status"
        done
        COMPREPLY+=(ytt)
    fi
    return "$status"
}

# bash-completion loads what completes cargo at its first use only.
if ! complete -p cargo >/dev/null 2>&1 && declare -F _completion_loader >/dev/null; then
    _completion_loader cargo >/dev/null 2>&1
fi
_cargo_ytt_spec="$(complete -p cargo 2>/dev/null)"
_cargo_ytt_function=' -F ([^ ]+) '
if [[ -z $_cargo_ytt_spec ]]; then
    complete -o default -F _cargo_ytt_of_cargo cargo
elif [[ $_cargo_ytt_spec =~ $_cargo_ytt_function && ${BASH_REMATCH[1]} != _cargo_ytt_of_cargo ]]; then
    _cargo_ytt_before="${BASH_REMATCH[1]}"
    eval "${_cargo_ytt_spec/ -F $_cargo_ytt_before / -F _cargo_ytt_of_cargo }"
fi
unset _cargo_ytt_spec _cargo_ytt_function
