// Where the app could not be read, this says in the person's language what to do. It is written for old browsers.
(function () {
  if (document.documentElement.hasAttribute("data-read")) return;
  var words = {
    en: "This browser is too old to draw the boards. Please update it, or play in the terminal: mbegu play",
    fr: "Ce navigateur est trop ancien pour dessiner les plateaux. " +
      "Mettez-le à jour, ou jouez dans le terminal : mbegu play",
    sw: "Kivinjari hiki ni cha zamani mno kuchora ubao. Tafadhali kisasishe, au cheza kwenye terminali: mbegu play",
    rn: "Iyi browser irashaje cane, ntishobora gucapa urubugu. " +
      "Yisubirize ibe nshasha, canke ukinire mu terminal: mbegu play"
  };
  var p = document.createElement("p");
  p.className = "notice";
  p.setAttribute("role", "alert");
  p.appendChild(document.createTextNode(words[document.documentElement.lang] || words.en));
  document.body.insertBefore(p, document.body.firstChild);
})();
