// One line on any page draws a board there:
//   <script async src="https://…/embed.js" data-game="…"></script>
// `data-game` is what the app's "Share and save" writes, `data-width` and `data-height` are in pixels.
(function () {
  var script = document.currentScript;
  if (!script || !script.parentNode) return;
  var frame = document.createElement("iframe");
  frame.src = new URL("embed/", script.src).href + "#" + encodeURI(script.getAttribute("data-game") || "");
  frame.title = script.getAttribute("data-title") || "Mbegu";
  frame.loading = "lazy";
  frame.width = script.getAttribute("data-width") || "640";
  frame.height = script.getAttribute("data-height") || "620";
  frame.style.border = "0";
  frame.style.maxWidth = "100%";
  // Browsers put a line that stands alone in a file into the head, where nothing is drawn.
  function put() {
    if (script.parentNode === document.head) document.body.insertBefore(frame, document.body.firstChild);
    else script.parentNode.insertBefore(frame, script.nextSibling);
  }
  if (document.body) put();
  else document.addEventListener("DOMContentLoaded", put);
})();
