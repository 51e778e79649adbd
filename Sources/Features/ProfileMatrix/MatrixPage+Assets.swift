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

extension MatrixPage {
  /// The page's script: displays the details of a cell, handles the arrow keys, and hides rows.
  ///
  /// It inserts everything as text, never as markup.
  static let script = #"""

    "use strict";
    const find = (name) => document.getElementById(name);
    const table = find("matrix"), detail = find("detail"), facts = find("facts").children;
    const heads = table.tHead.rows[0].cells, rows = [...table.tBodies[0].rows];
    const cellOf = (node) => node instanceof Element ? node.closest("#matrix td.c") : null;
    let shown = null, timer = 0;

    function add(parent, name, text) {
      const element = parent.appendChild(document.createElement(name));
      element.textContent = text;
      return element;
    }

    function hide() {
      clearTimeout(timer);
      if (shown) shown.removeAttribute("aria-describedby");
      shown = null;
      detail.hidden = true;
    }

    function show(cell) {
      clearTimeout(timer);
      if (shown === cell) return;
      hide();
      const row = cell.parentNode;
      detail.replaceChildren();
      add(add(detail, "p", ""), "strong", heads[cell.cellIndex].textContent + ": " + cell.getAttribute("aria-label"));
      add(detail, "p", row.cells[0].textContent);
      add(detail, "p", "expected: " + row.cells[1].getAttribute("aria-label"));
      if (cell.dataset.url) add(detail, "p", "login URL: " + facts[cell.dataset.url].textContent.trim()).className = "url";
      const list = add(detail, "ul", "");
      for (const number of cell.dataset.facts.split(" ").filter(Boolean)) {
        add(list, "li", facts[number].textContent.trim());
      }
      detail.hidden = false;
      detail.scrollTop = 0;
      shown = cell;
      place();
      cell.setAttribute("aria-describedby", "detail");
    }

    function place() {
      // Its position limits its width, so it is measured at the left edge.
      detail.style.left = "4px";
      const cell = shown.getBoundingClientRect(), size = detail.getBoundingClientRect();
      const below = cell.bottom + 6, above = cell.top - size.height - 6;
      const isAbove = below + size.height > innerHeight && above >= 0;
      detail.style.top = Math.max(4, isAbove ? above : Math.min(below, innerHeight - size.height - 4)) + "px";
      detail.style.left = Math.max(4, Math.min(cell.left, innerWidth - size.width - 16)) + "px";
    }

    // After a pause, so that the pointer can reach the details, to select or scroll them.
    function leave() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const focused = cellOf(document.activeElement);
        if (focused) show(focused); else hide();
      }, 120);
    }

    function enter(cell) {
      for (const other of table.querySelectorAll("td[tabindex]")) if (other !== cell) other.removeAttribute("tabindex");
      cell.tabIndex = 0;
    }

    function go(cell) {
      enter(cell);
      cell.focus();
    }

    table.addEventListener("mouseover", (event) => {
      const cell = cellOf(event.target);
      if (cell) show(cell); else if (shown) leave();
    });
    table.addEventListener("mouseleave", leave);
    detail.addEventListener("mouseenter", () => clearTimeout(timer));
    detail.addEventListener("mouseleave", leave);
    table.addEventListener("click", (event) => {
      const cell = cellOf(event.target);
      if (cell) go(cell);
    });
    table.addEventListener("focusin", (event) => {
      const cell = cellOf(event.target);
      if (cell) show(cell);
    });
    table.addEventListener("focusout", hide);
    for (const name of ["scroll", "resize"]) addEventListener(name, () => { if (shown) place(); }, { passive: true });

    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") hide();
      const cell = cellOf(event.target);
      if (!cell || event.altKey || event.metaKey) return;
      const visible = rows.filter((row) => !row.hidden);
      const row = visible.indexOf(cell.parentNode), column = cell.cellIndex;
      const [first, last] = [2, heads.length - 1];
      const all = event.ctrlKey;
      const places = {
        ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
        ArrowUp: [row - 1, column], ArrowDown: [row + 1, column],
        Home: [all ? 0 : row, first], End: [all ? visible.length - 1 : row, last],
      };
      const place = places[event.key];
      if (!place) return;
      event.preventDefault();
      if (visible[place[0]] && place[1] >= first && place[1] <= last) go(visible[place[0]].cells[place[1]]);
    });

    function filter() {
      const text = find("filter").value.toLowerCase();
      const [disputed, unexpected] = [find("disputed").checked, find("unexpected").checked];
      for (const row of rows) {
        row.hidden = !row.cells[0].textContent.toLowerCase().includes(text)
          || disputed && !("disputed" in row.dataset) || unexpected && !("unexpected" in row.dataset);
      }
      const visible = rows.filter((row) => !row.hidden);
      find("shown").textContent = visible.length + " of " + rows.length + " shown";
      const entrance = table.querySelector("td[tabindex]");
      if (visible.length && entrance && entrance.parentNode.hidden) enter(visible[0].cells[2]);
    }
    for (const name of ["filter", "disputed", "unexpected"]) find(name).addEventListener("input", filter);
    filter();

    """#
}
