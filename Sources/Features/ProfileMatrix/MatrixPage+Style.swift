extension MatrixPage {
  /// The page's style: colors that most eyes can distinguish (Okabe and Ito), with black letters in both modes.
  static let style = """

    :root { color-scheme: light dark; --page: #fff; --text: #1b1b1b; --faint: #5a5a5a; --line: #cfcfcf; --head: #f1f1ef }
    @media (prefers-color-scheme: dark) {
      :root { --page: #16181a; --text: #e8e8e6; --faint: #a8a8a6; --line: #3c3f42; --head: #24272a }
    }
    body { font: 14px/1.4 system-ui, sans-serif; margin: 1.5em; background: var(--page); color: var(--text) }
    h1 { font-size: 1.4em; margin: 0 0 .5em }
    p { max-width: 60em; margin: .5em 0 }
    summary { cursor: pointer; font-weight: bold; margin: .5em 0 }
    .legend { list-style: none; display: flex; flex-wrap: wrap; gap: .3em 1.2em; margin: .8em 0; padding: 0 }
    .legend span { display: inline-block; width: 1.7em; text-align: center; border-radius: 3px }
    .filters { display: flex; flex-wrap: wrap; gap: .4em 1.4em; align-items: center; margin: 1em 0 }
    .filters input[type=search] { font: inherit; width: 16em }
    output { color: var(--faint) }
    table { border-collapse: separate; border-spacing: 0 }
    th { text-align: left; font-weight: normal }
    thead th { font-weight: bold; background: var(--head) }
    .tallies th, .tallies td { padding: .15em .8em; border-bottom: 1px solid var(--line) }
    .tallies td { text-align: right; font-variant-numeric: tabular-nums }
    #matrix thead th { position: sticky; top: 0; z-index: 2; vertical-align: bottom; padding: .3em .5em }
    #matrix thead th:first-child { left: 0; z-index: 3 }
    #matrix .profile span { writing-mode: vertical-rl; transform: rotate(180deg) }
    #matrix tbody th { position: sticky; left: 0; z-index: 1; background: var(--page); padding: .1em .8em .1em .2em;
      max-width: 45vw; overflow-wrap: anywhere }
    #matrix tbody th, #matrix tbody td { border-bottom: 1px solid var(--line) }
    #matrix tbody td { padding: .1em .4em; text-align: center; min-width: 1.7em; scroll-margin: 12em 4em 4em 50vw }
    #matrix tbody tr:hover th { background: var(--head) }
    .online { background: #4fc3a1; color: #000 }
    .captivePortal { background: #e69f00; color: #000 }
    .intercepted { background: #d890b8; color: #000 }
    .partial { background: #7cc4ee; color: #000 }
    .offline { background: #e8743b; color: #000 }
    .inconclusive { background: #c9c9c9; color: #000 }
    .healthy { background: #4fc3a1; color: #000 }
    .degraded { background: #e69f00; color: #000 }
    .unhealthy { background: #e8743b; color: #000 }
    .none { background: var(--head); color: var(--text) }
    .c { cursor: default }
    .w { font-weight: bold; box-shadow: inset 0 0 0 2px #000 }
    .c:focus { outline: 3px solid var(--text); outline-offset: 1px; position: relative; z-index: 1 }
    #detail { position: fixed; z-index: 4; max-width: min(44em, 92vw); max-height: 60vh; overflow: auto;
      background: var(--page); color: var(--text); border: 1px solid var(--faint); border-radius: 5px;
      padding: .6em .9em; box-shadow: 0 3px 14px #0006; overflow-wrap: anywhere }
    #detail p { margin: 0 0 .3em }
    #detail ul { margin: 0; padding-left: 1.2em }
    [hidden] { display: none !important }
    @media print { .filters { display: none } #matrix th { position: static !important } }

    """
}
