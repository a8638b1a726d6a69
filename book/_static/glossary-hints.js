/* Terms of the glossary say what they mean: to a mouse that rests on them, to the tab key, to a finger.
   A classic script without libraries. Without it a term is a link to its entry, with the same words as its title. */
(function () {
  "use strict";

  var WAIT = 150; // milliseconds, so that a mouse which only passes shows nothing
  var note = null, owner = null, timer = 0, touched = false;

  function make() {
    note = document.createElement("span");
    note.id = "glossary-hint";
    note.className = "glossary-hint";
    note.setAttribute("role", "tooltip");
    note.hidden = true;
    note.addEventListener("pointerenter", function () { clearTimeout(timer); });
    note.addEventListener("pointerleave", function () { later(hide); });
    (document.querySelector(".bd-article") || document.body).appendChild(note);
  }

  function later(what) {
    clearTimeout(timer);
    timer = setTimeout(what, WAIT);
  }

  function show(link) {
    clearTimeout(timer);
    if (!note) { make(); }
    if (owner && owner !== link) { owner.removeAttribute("aria-describedby"); }
    owner = link;
    note.textContent = link.dataset.definition + (touched ? " (Touch again for the glossary.)" : "");
    note.hidden = false;
    link.setAttribute("aria-describedby", note.id);
    var at = link.getClientRects()[0] || link.getBoundingClientRect();
    var wide = document.documentElement.clientWidth, margin = 8;
    note.style.left = Math.max(margin, Math.min(at.left, wide - note.offsetWidth - margin)) + "px";
    var below = at.bottom + 4, fits = below + note.offsetHeight <= window.innerHeight;
    note.style.top = (fits ? below : Math.max(margin, at.top - note.offsetHeight - 4)) + "px";
  }

  function hide() {
    clearTimeout(timer);
    if (!owner) { return; }
    note.hidden = true;
    owner.removeAttribute("aria-describedby");
    delete owner.dataset.shown;
    owner = null;
  }

  function upgrade(link) {
    link.dataset.definition = link.title;
    link.removeAttribute("title"); // or the browser would show it a second time
    link.addEventListener("pointerenter", function (event) {
      if (event.pointerType === "mouse") { later(function () { touched = false; show(link); }); }
    });
    link.addEventListener("pointerleave", function (event) {
      if (event.pointerType === "mouse") { later(hide); }
    });
    link.addEventListener("pointerdown", function (event) { touched = event.pointerType !== "mouse"; });
    link.addEventListener("focus", function () { if (link.matches(":focus-visible")) { show(link); } });
    link.addEventListener("blur", hide);
    link.addEventListener("click", function (event) {
      if (touched && link.dataset.shown !== "yes") {
        event.preventDefault(); // the first touch reads, the second follows
        show(link);
        link.dataset.shown = "yes";
      }
    });
  }

  function start() {
    document.querySelectorAll("a.defined[title]").forEach(upgrade);
    document.addEventListener("keydown", function (event) { if (event.key === "Escape") { hide(); } });
    document.addEventListener("pointerdown", function (event) {
      if (owner && event.target !== owner && !(note && note.contains(event.target))) { hide(); }
    });
    window.addEventListener("scroll", hide, { passive: true });
    window.addEventListener("resize", hide);
  }

  if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", start);
  } else {
    start();
  }
})();
