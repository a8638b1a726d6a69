/* Tables that can be sorted, filtered and taken along, and a few small services to readers.
   A classic script without libraries: pages work from a folder, without a server and without a network.
   Without it every table is still complete. */
(function () {
  "use strict";

  var FILTER_ABOVE = 10; // rows; fewer are seen at a glance
  var MISSING = /^\s*[-–—]?\s*$/;
  var NUMBER = /^\s*[<>≤≥≈~]?\s*([-−+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?)/i;

  function element(name, className, text) {
    var made = document.createElement(name);
    if (className) { made.className = className; }
    if (text) { made.textContent = text; }
    return made;
  }

  function counted(n) { return n.toLocaleString("en-US"); }

  function list(found) { return Array.prototype.slice.call(found); }

  function number(text) {
    var match = NUMBER.exec(text);
    return match ? parseFloat(match[1].replace(/,/g, "").replace("−", "-")) : NaN;
  }

  /* The headers that stand over one column each, with the number of that column. */
  function leaves(head) {
    var rows = list(head.rows), taken = rows.map(function () { return []; }), found = [];
    rows.forEach(function (row, r) {
      var c = 0;
      list(row.cells).forEach(function (cell) {
        while (taken[r][c]) { c += 1; }
        for (var i = 0; i < cell.rowSpan && r + i < rows.length; i += 1) {
          for (var j = 0; j < cell.colSpan; j += 1) { taken[r + i][c + j] = true; }
        }
        if (cell.colSpan === 1 && r + cell.rowSpan >= rows.length) { found.push({ cell: cell, column: c }); }
        c += cell.colSpan;
      });
    });
    return found;
  }

  function text(row, column) { return row.cells[column] ? row.cells[column].textContent.trim() : ""; }

  /* Rows in a new order: numbers by size, words by the alphabet; what is missing comes last either way. */
  function sorted(rows, column, down) {
    var known = rows.map(function (row) { return text(row, column); });
    var given = known.filter(function (one) { return !MISSING.test(one); });
    var numeric = given.every(function (one) { return !isNaN(number(one)); });
    var order = rows.map(function (row, i) { return i; });
    order.sort(function (a, b) {
      var noA = MISSING.test(known[a]), noB = MISSING.test(known[b]);
      if (noA || noB) { return noA - noB || a - b; }
      var difference = numeric
        ? number(known[a]) - number(known[b])
        : known[a].localeCompare(known[b], undefined, { numeric: true, sensitivity: "base" });
      return (down ? -difference : difference) || a - b;
    });
    return order.map(function (i) { return rows[i]; });
  }

  function makeSortable(table) {
    var body = table.tBodies[0], first = list(body.rows);
    var plain = first.every(function (row) {
      return list(row.cells).every(function (cell) { return cell.rowSpan === 1 && cell.colSpan === 1; });
    });
    if (!plain || first.length < 2) { return; }
    var headers = leaves(table.tHead);
    headers.forEach(function (header) {
      var button = element("button", "sort");
      button.type = "button";
      if (!header.cell.textContent.trim()) { button.setAttribute("aria-label", "column " + (header.column + 1)); }
      while (header.cell.firstChild) { button.appendChild(header.cell.firstChild); }
      header.cell.appendChild(button);
      button.addEventListener("click", function () {
        var was = header.cell.getAttribute("aria-sort");
        var next = !was ? "ascending" : was === "ascending" ? "descending" : "";
        headers.forEach(function (other) { other.cell.removeAttribute("aria-sort"); });
        if (next) { header.cell.setAttribute("aria-sort", next); }
        var rows = next ? sorted(first, header.column, next === "descending") : first;
        rows.forEach(function (row) { body.appendChild(row); });
      });
    });
  }

  function makeFilter(table, view) {
    var rows = list(table.tBodies[0].rows);
    var tools = element("div", "table-tools"), label = element("label", "", "Filter rows ");
    var input = element("input"), shown = element("span", "count", counted(rows.length) + " rows");
    input.type = "search";
    shown.setAttribute("role", "status");
    label.appendChild(input);
    tools.appendChild(label);
    tools.appendChild(shown);
    view.insertBefore(tools, view.firstChild);
    var texts = rows.map(function (row) { return row.textContent.toLowerCase(); });
    input.addEventListener("input", function () {
      var words = input.value.toLowerCase().split(/\s+/).filter(Boolean), count = 0;
      rows.forEach(function (row, i) {
        row.hidden = !words.every(function (word) { return texts[i].indexOf(word) >= 0; });
        count += row.hidden ? 0 : 1;
      });
      shown.textContent = (words.length ? counted(count) + " of " : "") + counted(rows.length) + " rows";
    });
  }

  /* The table as it stands, as CSV: for tables of prose, whose page carries no file of their data. */
  function csv(table) {
    var heads = leaves(table.tHead).map(function (header) { return header.cell.textContent; });
    var rows = list(table.tBodies[0].rows).map(function (row) {
      return list(row.cells).map(function (cell) { return cell.textContent; });
    });
    return [heads].concat(rows).map(function (cells) {
      return cells.map(function (cell) { return '"' + cell.trim().replace(/"/g, '""') + '"'; }).join(",");
    }).join("\r\n") + "\r\n";
  }

  function makeDownload(table, view) {
    var place = table.closest("details.long-table") || view;
    if (place.closest(".figure-table") || place.parentElement.querySelector(":scope > .take-along")) { return; }
    var line = element("p", "take-along"), link = element("a", "", "CSV");
    link.href = "data:text/csv;charset=utf-8," + encodeURIComponent(csv(table));
    link.download = (location.pathname.split("/").pop() || "page").replace(/\.html$/, "") + "-table.csv";
    link.setAttribute("aria-label", "CSV of this table");
    line.appendChild(link);
    place.parentElement.insertBefore(line, place.nextSibling);
  }

  /* Something that may be too wide gets a frame that scrolls then, says so, and can be reached by keyboard. */
  var measures = [];
  function scrolling(box, about) {
    var view = element("div", "scroll-view");
    box.parentElement.insertBefore(view, box);
    view.appendChild(box);
    box.classList.add("scroll-box");
    var cue = element("p", "scroll-cue", about.cue + ": scroll sideways →");
    cue.setAttribute("aria-hidden", "true");
    view.insertBefore(cue, box);
    function measure() {
      box.style.setProperty("--box-width", box.clientWidth + "px");
      var wide = box.scrollWidth > box.clientWidth + 1;
      view.classList.toggle("scrolls", wide);
      view.classList.toggle("more", wide && box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
      if (wide) {
        box.tabIndex = 0;
        box.setAttribute("role", about.role);
        if (!box.hasAttribute("aria-label")) { box.setAttribute("aria-label", about.label); }
      } else if (!box.classList.contains("ledger-scroll")) {
        box.removeAttribute("tabindex");
        box.removeAttribute("role");
        box.removeAttribute("aria-label");
      }
    }
    box.addEventListener("scroll", measure, { passive: true });
    if (window.ResizeObserver) { new ResizeObserver(measure).observe(box); }
    measures.push(measure);
    return { view: view, measure: measure };
  }
  function measureAll() { measures.forEach(function (measure) { measure(); }); }
  window.addEventListener("load", function () {
    measureAll(); // pictures have their sizes now; formulas have theirs once they are set
    var typesetter = window.MathJax && window.MathJax.startup;
    if (typesetter && typesetter.promise) { typesetter.promise.then(measureAll); }
  });

  function frame(table) {
    var box = table.closest(".pst-scrollable-table-container, .ledger-scroll");
    if (!box) {
      box = element("div");
      table.parentElement.insertBefore(box, table);
      box.appendChild(table);
    }
    if (table.caption) { // it stays in sight while the columns below it move
      var words = element("div");
      while (table.caption.firstChild) { words.appendChild(table.caption.firstChild); }
      table.caption.appendChild(words);
    }
    var label = table.caption ? table.caption.textContent : "Table";
    var made = scrolling(box, { cue: "More columns", role: "region", label: label }), view = made.view;
    view.classList.add("table-view");
    box.classList.add("table-box");
    made.measure();
    if (view.classList.contains("scrolls") && view.parentElement.closest(".cell_output")
        && !view.closest("details, .admonition, .ledger-scroll")) {
      view.classList.add("full-width"); // the theme moves the page's contents out of its way
      made.measure();
    }
    return view;
  }

  function frameFigure(image) {
    var box = element("div", "figure-box");
    image.parentElement.insertBefore(box, image);
    box.appendChild(image);
    scrolling(box, { cue: "More of the figure", role: "group", label: image.alt || "Figure" }).measure();
  }

  function frameFormula(formula) {
    scrolling(formula, { cue: "More of the formula", role: "group", label: "Formula" }).measure();
  }

  function upgrade(table) {
    if (!table.tHead || !table.tBodies.length || !table.tHead.rows.length) { return; }
    var view = frame(table);
    makeSortable(table);
    if (table.tBodies[0].rows.length > FILTER_ABOVE && !table.classList.contains("ledger-table")) {
      makeFilter(table, view);
    }
    makeDownload(table, view);
  }

  /* Rows of CSV text as lists of cells. */
  function cellsOf(csv) {
    var rows = [[""]], quoted = false;
    for (var i = 0; i < csv.length; i += 1) {
      var one = csv[i], row = rows[rows.length - 1];
      if (one === '"' && quoted && csv[i + 1] === '"') { row[row.length - 1] += one; i += 1; }
      else if (one === '"') { quoted = !quoted; }
      else if (one === "," && !quoted) { row.push(""); }
      else if (one === "\n" && !quoted) { rows.push([""]); }
      else if (one !== "\r") { row[row.length - 1] += one; }
    }
    return rows;
  }

  /* A number of a figure's data with four digits behind its first; whole numbers and words as they are. */
  function shortened(text) {
    return /^-?\d*\.\d{5,}(e-?\d+)?$/.test(text) ? String(Number(Number(text).toPrecision(5))) : text;
  }

  function tableOf(csv, title) {
    var rows = cellsOf(csv), table = element("table"), body = element("tbody"), head = element("tr");
    table.appendChild(element("caption", "", title));
    rows[0].forEach(function (name) { head.appendChild(element("th", "", name)); });
    table.createTHead().appendChild(head);
    rows.slice(1).forEach(function (cells) {
      var row = element("tr");
      cells.forEach(function (cell) { row.appendChild(element("td", "", shortened(cell))); });
      body.appendChild(row);
    });
    table.appendChild(body);
    return table;
  }

  /* The data of a figure, opened in place as a table like any other. */
  function openable(line) {
    var button = element("button", "open-data", "Table"), box = null;
    button.type = "button";
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-label", "Data of this figure as a table");
    line.insertBefore(button, line.firstChild);
    button.addEventListener("click", function () {
      if (!box) {
        box = element("div", "figure-table");
        box.appendChild(tableOf(line.dataset.csv, "The figure's data"));
        line.parentElement.insertBefore(box, line.nextSibling);
        upgrade(box.firstChild);
        box.hidden = true;
      }
      box.hidden = !box.hidden;
      button.setAttribute("aria-expanded", String(!box.hidden));
      measureAll();
    });
  }

  function start() {
    list(document.querySelectorAll(".bd-article .take-along[data-csv]")).forEach(openable);
    list(document.querySelectorAll(".bd-article table")).filter(function (table) {
      return !table.closest("[data-plain-tables]");
    }).forEach(upgrade);
    /* those with a variant for phones need no frame to scroll in */
    list(document.querySelectorAll(".bd-article :is(figure, .cell_output) :not(picture) > img[src*=svg]")).forEach(frameFigure);
    list(document.querySelectorAll(".bd-article div.math")).forEach(frameFormula);
  }

  /* What the theme shows as a sign alone gets a name for readers who do not see it. */
  function nameSigns() {
    list(document.querySelectorAll(".copybtn:not([aria-label])")).forEach(function (button) {
      button.setAttribute("aria-label", "Copy the code");
    });
    /* Sphinx calls the bibliography a list, whose entries are not called its items. */
    list(document.querySelectorAll(".citation-list[role=list]")).forEach(function (one) { one.removeAttribute("role"); });
    list(document.querySelectorAll("details > summary:not([aria-label])")).forEach(function (summary) {
      if (summary.textContent.trim()) { return; }
      var link = summary.parentElement.parentElement.querySelector("a");
      summary.setAttribute("aria-label", "pages below " + (link ? link.textContent.trim() : "this one"));
    });
  }
  window.addEventListener("load", nameSigns);

  /* A link into something folded opens it, as does a word that a search found there. */
  function unfold(inside) {
    for (var at = inside; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") { at.open = true; }
    }
  }
  function unfoldTarget() {
    var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.closest(".bd-article")) { return; }
    var section = target.tagName === "SECTION" ? target : target.parentElement; // its other names are spans
    unfold(section.querySelector(":scope > details.folded-section") || target);
    target.scrollIntoView();
  }
  window.addEventListener("hashchange", unfoldTarget);
  window.addEventListener("load", function () {
    if (location.hash) { unfoldTarget(); }
    list(document.querySelectorAll(".bd-article details span.highlighted")).forEach(unfold);
  });

  /* What is folded on the screen is printed whole. */
  var opened = [];
  window.addEventListener("beforeprint", function () {
    opened = list(document.querySelectorAll(".bd-article details:not([open])"));
    opened.forEach(function (one) { one.open = true; });
  });
  window.addEventListener("afterprint", function () {
    opened.forEach(function (one) { one.open = false; });
  });

  /* A page opened from a folder may not read its neighbours, so search then shows titles alone. */
  if (location.protocol === "file:" && window.DOCUMENTATION_OPTIONS) {
    window.DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
  }

  if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", start);
  } else {
    start();
  }
})();
