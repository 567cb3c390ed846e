// Where the app could not be read, this says in the person's language what to do. It is written for old browsers;
// one that is new enough was sent only a part of the app.
(function () {
  if (document.documentElement.hasAttribute("data-read")) return;
  var old = {
    en: "This browser is too old to draw the boards. Please update it, or play in the terminal: mbegu play",
    fr: "Ce navigateur est trop ancien pour dessiner les plateaux. " +
      "Mettez-le à jour, ou jouez dans le terminal : mbegu play",
    sw: "Kivinjari hiki ni cha zamani mno kuchora ubao. Tafadhali kisasishe, au cheza kwenye terminali: mbegu play",
    rn: "Iyi browser irashaje cane, ntishobora gucapa urubugu. " +
      "Yisubirize ibe nshasha, canke ukinire mu terminal: mbegu play"
  };
  var cut = {
    en: "A part of this page did not arrive. Is there a network? Load it again; your games are kept.",
    fr: "Une partie de cette page n’est pas arrivée. Y a-t-il un réseau ? " +
      "Rechargez-la ; vos parties sont gardées.",
    sw: "Sehemu ya ukurasa huu haikufika. Je, mtandao upo? Upakie tena; michezo yako imehifadhiwa.",
    rn: "Igice c’uru rupapuro nticashitse. Mbega hari urubuga ngurukanabumenyi? " +
      "Subira urwugurure; inkino zawe zirabitswe."
  };
  var words = typeof structuredClone === "function" ? cut : old; // since 2022, as what we write for
  var p = document.createElement("p");
  p.className = "notice";
  p.setAttribute("role", "alert");
  p.appendChild(document.createTextNode(words[document.documentElement.lang] || words.en));
  document.body.insertBefore(p, document.body.firstChild);
})();
