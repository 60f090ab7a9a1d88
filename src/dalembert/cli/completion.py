"""Print what makes bash, zsh or fish complete commands, options and names.

    bash    eval "$(dalembert completion bash)"         in ~/.bashrc
    zsh     eval "$(dalembert completion zsh)"          in ~/.zshrc, behind compinit
    fish    dalembert completion fish | source          in ~/.config/fish/config.fish

It completes commands, options, catalog names and their options, methods and integrators and their
parameters, parameters and coordinates of the model, and files.
"""

from __future__ import annotations

import argparse

BASH = r"""# bash completion of dalembert
_dalembert() {
    local IFS=$'\n' line word words=() kind=
    # a word with : or = is one word for dalembert, though bash cuts it there
    local current="${COMP_LINE:0:COMP_POINT}"
    while IFS= read -r line; do
        case "$line" in
            :files*) kind="$line" ;;
            :folders) kind=folders ;;
            *) words+=("${line%%$'\t'*}") ;;
        esac
    done < <(dalembert __complete line "$current" 2>/dev/null)
    word="${current##*[[:space:]]}"
    local cut="${word%"${COMP_WORDS[COMP_CWORD]}"}"
    [[ "${COMP_WORDS[COMP_CWORD]}" == [:=] ]] && cut="$word"
    COMPREPLY=()
    for line in "${words[@]}"; do
        COMPREPLY+=("${line#"$cut"}")
    done
    if [[ $kind == folders ]]; then
        COMPREPLY+=($(compgen -d -- "$word"))
        compopt -o filenames 2>/dev/null
    elif [[ -n $kind ]]; then
        local suffixes="${kind#:files}" file
        for file in $(compgen -f -- "$word"); do
            if [[ -d $file || -z $suffixes || " $suffixes " == *" .${file##*.} "* ]]; then
                COMPREPLY+=("$file")
            fi
        done
        compopt -o filenames 2>/dev/null
    fi
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -F _dalembert dalembert
"""

ZSH = r"""#compdef dalembert
# zsh completion of dalembert
_dalembert() {
    local line kind= open=()
    local -a found open
    while IFS= read -r line; do
        case "$line" in
            :files*) kind="$line" ;;
            :folders) kind=folders ;;
            *)
                local word="${line%%$'\t'*}" text=
                [[ "$line" == *$'\t'* ]] && text="${line#*$'\t'}"
                if [[ "$word" == *[=:] ]]; then
                    open+=("$word")
                else
                    found+=("${word//:/\\:}${text:+:$text}")
                fi
                ;;
        esac
    done < <(dalembert __complete words "${(@)words[2,CURRENT]}" 2>/dev/null)
    (( ${#found} )) && _describe -t values dalembert found
    (( ${#open} )) && compadd -S '' -a open
    if [[ $kind == folders ]]; then
        _files -/
    elif [[ -n $kind ]]; then
        local suffixes="${kind#:files}"
        if [[ -z $suffixes ]]; then
            _files
        else
            _files -g "*(${(j:|:)${=suffixes}})"
        fi
    fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _dalembert "$@"
else
    compdef _dalembert dalembert
fi
"""

FISH = r"""# fish completion of dalembert
function __dalembert_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (dalembert __complete words $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$current"
            case ':files *'
                for suffix in (string split ' ' (string replace ':files ' '' -- $line))
                    __fish_complete_suffix "$suffix"
                end
            case ':folders'
                __fish_complete_directories "$current"
            case '*'
                echo $line
        end
    end
end
complete -c dalembert -f -a '(__dalembert_complete)'
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("shell", metavar="SHELL", choices=sorted(SCRIPTS), help="bash, zsh or fish")


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    from dalembert.cli import OK

    print(SCRIPTS[arguments.shell], end="")
    return OK
