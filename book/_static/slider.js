/* A slider along a quantity: shows the shares of the place that is chosen, from the rows that the page holds.
   A classic script without libraries; without it the page shows the place where it begins. */
(function () {
  "use strict";

  function told(share) { return share === null ? "-" : share + " %"; }

  function make(box) {
    if (box.dataset.ready) { return; }
    box.dataset.ready = "yes";
    var data = JSON.parse(box.querySelector("script[type='application/json']").textContent);
    var controls = box.querySelector(".slider-controls"), choice = controls.querySelector("select");
    var range = controls.querySelector("input"), output = controls.querySelector("output");
    var caption = box.querySelector("caption"), status = box.querySelector(".slider-status");
    var picked = controls.querySelector("button"), waiting = null;
    function show() {
      var group = data.groups[choice.value], place = Number(range.value);
      var here = group.along[place].toFixed(2), said = [];
      output.textContent = here;
      range.setAttribute("aria-valuetext", here);
      caption.textContent = group.name + ", " + here;
      Object.keys(data.values).forEach(function (name) {
        var shares = group.at[name][place], cells = box.querySelector("tr[data-value='" + name + "']").cells;
        var last = cells.length - 1;
        if (last > 2) { cells[1].textContent = told(shares[3] === undefined ? null : shares[3]); }
        cells[last - 1].querySelector("b").textContent = told(shares[0]);
        cells[last - 1].querySelector(".slider-bar").style.setProperty("--share", (shares[0] || 0) + "%");
        cells[last].textContent = shares[0] === null ? "-" : shares[1] + " to " + shares[2] + " %";
        said.push(data.values[name] + " " + told(shares[0]));
      });
      picked.disabled = place === group.picked;
      clearTimeout(waiting); // once it stands still: who listens is not told of every step
      waiting = setTimeout(function () { status.textContent = "At " + here + ": " + said.join(", ") + "."; }, 400);
    }
    function start() {
      var group = data.groups[choice.value];
      range.max = group.along.length - 1;
      range.value = group.start;
      show();
    }
    choice.addEventListener("change", start);
    range.addEventListener("input", show);
    picked.addEventListener("click", function () {
      range.value = data.groups[choice.value].picked;
      show();
    });
    controls.hidden = false;
    start();
  }

  Array.prototype.slice.call(document.querySelectorAll(".book-slider")).forEach(make);
})();
