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
