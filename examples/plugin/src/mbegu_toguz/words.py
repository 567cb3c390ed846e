"""What the game says in the other languages of Mbegu."""

from mbegu.core.i18n import add_words

__all__: list[str] = []

TUZDYK = "{hole} becomes the tuzdyk of {side}: {seeds} balls go to the kazan."
HALF = "A player has more than half of the balls."
ATSYZ = "A player has no ball to move; the other keeps those on his side."
SUMMARY = "Nine houses, nine balls: capture even numbers, and make one house your tuzdyk."

# Mbegu's own sentences with the word of this game; in English it puts the word in by itself.
SOWN = "{side} sows {hole} ({seeds}), last ball in {last}."
LIFTED = "All balls are taken out of {hole}: {seeds}."
FALLEN = "A ball falls into {hole}, which now holds {now}."

add_words(
    "fr",
    {
        TUZDYK: "{hole} devient le touzdyk de {side} ; billes au kazan : {seeds}.",
        HALF: "Un joueur a plus de la moitié des billes.",
        ATSYZ: "Un joueur n’a pas de bille à jouer ; l’autre garde celles de son côté.",
        SUMMARY: "Neuf cases, neuf billes : capturez les nombres pairs, faites d’une case votre touzdyk.",
        SOWN: "{side} sème {hole} ({seeds}), dernière bille : {last}.",
        LIFTED: "Toutes les billes sont prises dans {hole} : {seeds}.",
        FALLEN: "Une bille tombe dans {hole}, qui en contient maintenant {now}.",
        "ball": "bille",
        "balls": "billes",
        "in the kazan": "au kazan",
    },
)
add_words(
    "rn",
    {
        TUZDYK: "{hole} kibaye tuzdyk ya {side}: ubusoro {seeds} buja muri kazan.",
        HALF: "Umukinyi afise ubusoro burenga ica kabiri.",
        ATSYZ: "Umukinyi nta gasoro afise ko gukina; uwundi agumana ubwo ku ruhande rwiwe.",
        SUMMARY: "Ibinogo icenda, ubusoro icenda: twara ibitigiri bigabanywa na kabiri, wigire tuzdyk.",
        SOWN: "{side} abivye {hole} ({seeds}), agasoro ka nyuma: {last}.",
        LIFTED: "Ubusoro bwose bukuwe muri {hole}: {seeds}.",
        FALLEN: "Agasoro kaguye muri {hole}, ubu harimwo {now}.",
        "ball": "agasoro",
        "balls": "ubusoro",
        "in the kazan": "muri kazan",
    },
)
add_words(
    "sw",
    {
        TUZDYK: "{hole} linakuwa tuzdyk la {side}: kete {seeds} zinaenda kwenye kazan.",
        HALF: "Mchezaji ana zaidi ya nusu ya kete.",
        ATSYZ: "Mchezaji hana kete ya kuchezesha; mwenzake anabaki na zilizo upande wake.",
        SUMMARY: "Mashimo tisa, kete tisa: teka idadi shufwa, na fanya shimo moja kuwa tuzdyk lako.",
        SOWN: "{side} anapanda {hole} ({seeds}), kete ya mwisho: {last}.",
        LIFTED: "Kete zote zinatolewa katika {hole}: {seeds}.",
        FALLEN: "Kete inaanguka katika {hole}, ambalo sasa lina {now}.",
        "ball": "kete",
        "balls": "kete",
        "in the kazan": "kwenye kazan",
    },
)
