# PowerShell completion of `cargo ytt` and `cargo-ytt`. In the file $PROFILE:
#     cargo-ytt completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName cargo-ytt, cargo -ScriptBlock {
    param($word, $ast, $cursor)
    $before = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
    $words = @($before | Select-Object -Skip 1)
    if ($before[0] -notmatch 'cargo-ytt(\.exe)?$') {
        while ($words.Count -gt 0 -and $words[0] -match '^[-+]') { $words = @($words | Select-Object -Skip 1) }
        if ($words.Count -eq 0) {
            'ytt' | Where-Object { $word -and $_ -like "$word*" }
            return
        }
        if ($words[0] -ne 'ytt') { return }
    }
    if ($words.Count -gt 0 -and $words[0] -eq 'ytt') { $words = @($words | Select-Object -Skip 1) }
    $last = if ($words.Count -gt 0) { $words[-1] } else { '' }
    $command = if ($words.Count -gt 0) { $words[0] } else { '' }
    $candidates = switch -CaseSensitive ($last) {
@CHOICES@
        default {
            switch -CaseSensitive ($command) {
@ARMS@
            }
        }
    }
    # Without a candidate, files are offered.
    $candidates | Where-Object { $_ -like "$word*" }
}
