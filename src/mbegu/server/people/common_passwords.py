"""Passwords that are guessed first: words that many people choose, and what they add to them.

Whoever guesses tries the words below, with figures before or after them, in capitals, with figures
for letters, twice, or backwards; and keys that lie side by side, runs, repetitions and dates.

>>> [is_common(word) for word in ("password1", "iloveyou1", "qwerty12", "mbegu123", "P@ssw0rd!")]
[True, True, True, True, True]
>>> [is_common(word) for word in ("kibo-na-mawenzi", "three blue herons", "vY7-koto-lamp")]
[False, False, False]
"""

import re
from collections.abc import Iterator
from functools import cache

__all__ = ["common_passwords", "is_common"]

STEMS = """
password passwort pass passwd motdepasse contrasena senha parola wachtwoord secret secrets letmein welcome bienvenue karibu admin administrator
root user guest login test tester testing default changeme change master access open hello bonjour hallo hola salut jambo habari mambo
iloveyou ilove loveyou loveme lovely love lover jetaime teamo amor amour mylove nakupenda upendo urukundo ndagukunda kiss kisses heart angel
angels princess prince queen king baby babygirl babyboy honey sweet sweety sweetie sugar cutie beautiful pretty sexy hottie darling friend
friends forever together family mother father mommy daddy mama papa sister brother maman cherie chouchou loulou doudou coeur soleil etoile
sunshine sun moon star stars sky rainbow flower flowers rose lily daisy butterfly snow winter summer spring autumn monday tuesday wednesday
thursday friday saturday sunday january february march april june july august september october november december lundi mardi mercredi jeudi
vendredi samedi dimanche janvier fevrier juin juillet aout septembre octobre novembre decembre
qwerty qwertz azerty asdf asdfgh zxcv zxcvbn qwer qweasd qazwsx qazwsxedc wasd poiuy lkjhg mnbvc azertyuiop qwertyuiop asdfghjkl zxcvbnm
abc abcd abcde abcdef xyz aaa aaaa bbb xxx zzz test123 onetwo onetwothree
dragon monkey tiger lion leopard panther eagle falcon hawk wolf bear horse cat dog puppy kitten kitty bunny rabbit dolphin shark turtle
panda elephant giraffe zebra cheetah simba nala chui tembo twiga nyani paka mbwa samaki farasi lapin chien chat chaton tigre loup
football soccer baseball basketball hockey tennis cricket rugby golf boxing wrestling skate surf chess poker futbol ballon
liverpool arsenal chelsea manchester united barcelona madrid realmadrid juventus milan bayern dortmund ajax celtic rangers yankees cowboys
steelers lakers bulls eagles raiders patriots messi ronaldo neymar mbappe drogba etoo salah mane zidane beckham jordan kobe lebron
superman batman spiderman ironman hulk thor captain avengers starwars skywalker vader yoda pokemon pikachu naruto sasuke goku vegeta luffy
mario sonic zelda minecraft fortnite roblox pubg callofduty halo matrix gandalf hobbit frodo harry potter hogwarts sherlock disney
mickey minnie tinkerbell barbie elsa frozen nemo shrek snoopy garfield scooby tweety winnie
michael jessica ashley daniel david andrew joshua matthew jennifer thomas robert william james john joseph charles george peter paul mark
luke anthony kevin brian steven edward richard christopher nicholas alexander alexandra samantha nicole amanda melissa michelle stephanie
elizabeth rebecca rachel sarah laura anna maria marie julie sophie camille chloe emma lea manon claire pauline pierre jean jacques louis
henri antoine nicolas julien romain thibault mathieu francois philippe olivier guillaume carlos jose juan pedro luis miguel diego
fernando alejandro sofia isabella valentina camila lucia carmen hans klaus stefan andreas martin florian sebastian tobias
amina juma ali hassan hussein mohamed mohammed muhammad ahmed omar fatima fatuma zainab aisha asha mariam khadija rehema neema baraka
furaha imani zawadi tumaini salama rashid said salim hamisi bakari kamau wanjiku otieno achieng kipchoge mutua nyambura wambui njoroge
eric emmanuel innocent claude divine grace mercy faith hope joy peace blessing blessed patience prosper fidele alice aline chantal
niyonkuru nkurunziza hakizimana ndayishimiye irakoze uwase ishimwe mugisha keza gisele kwame kofi kojo ama akua yaw abena adwoa
oluwaseun chinedu emeka ngozi chioma thabo sipho themba lerato nomsa mandela zuma biko
jesus jesuschrist christ god godisgood lord mungu imana yesu allah bismillah inshallah alhamdulillah amen bible church holy heaven
trustno trust nobody someone anything everything nothing whatever whocares fuckyou fuckoff fuck shit asshole bitch bastard
freedom liberty justice power money dollar euro cash rich million bank gold golden silver diamond ruby crystal pearl platinum
computer laptop internet google facebook whatsapp instagram twitter tiktok youtube yahoo gmail hotmail microsoft windows apple iphone
samsung galaxy nokia huawei tecno itel android linux ubuntu oracle server network wifi router system software hacker hacking matrix cisco
mercedes ferrari porsche toyota honda nissan yamaha suzuki harley mustang corvette camaro audi bmw volvo peugeot renault
london paris newyork berlin madrid lisboa roma tokyo africa afrique kenya nairobi mombasa kisumu tanzania daressalaam dodoma arusha
zanzibar uganda kampala rwanda kigali burundi bujumbura gitega ngozi congo kinshasa lubumbashi goma bukavu ghana accra kumasi nigeria
lagos abuja cameroon cameroun yaounde douala senegal dakar abidjan cotedivoire bamako togo lome benin cotonou ethiopia addis
southafrica johannesburg durban pretoria soweto zambia lusaka zimbabwe harare malawi botswana namibia lesotho mozambique maputo
kilimanjaro serengeti tanganyika victoria safari hakuna matata hakunamatata ubuntu uhuru harambee umoja amani upendo
orange banana apple cherry mango pineapple coconut lemon peach strawberry chocolate vanilla cookie cookies coffee pizza burger cheese
butter pepper ginger cinnamon candy icecream cupcake ugali chapati samosa nyama maziwa chai kahawa
red blue green yellow purple black white pink silver orange brown rouge bleu vert noir blanc jaune nyekundu bluu kijani nyeusi nyeupe
music guitar piano drummer dance dancer singer rock metal jazz reggae hiphop rap rapper bob marley bobmarley eminem tupac rihanna beyonce
shakira michaeljackson diamondplatnumz alikiba burnaboy wizkid davido
school student teacher college university campus science math physics chemistry biology history english french swahili kirundi
kinyarwanda mwalimu mwanafunzi shule chuo darasa kitabu ecole eleve professeur universite etudiant classe
number one two three four five six seven eight nine ten first last lucky luck winner champion champ boss legend hero ninja samurai
pirate warrior soldier hunter killer ranger scout wizard magic mystery phantom ghost shadow demon devil vampire zombie skull
cool crazy funny happy smile lol haha yeah awesome amazing super mega ultra best great good bad evil dark light fire water earth wind
storm thunder lightning blaze ocean river mountain forest jungle desert island beach paradise dream dreams dreamer wonder miracle
mustafa maverick phoenix falcon cobra viper scorpion spider python eagle raven sparrow hammer rocket turbo nitro laser cyber
mbegu oware kalah awale awele urubugu igisoro morabaraba mancala bao ajua ayo wari cow cows seed seeds mbegumbegu game games player gamer
playing board lobby match ladder rating
nopassword mypassword mypass yourpassword newpassword oldpassword thepassword passpass mysecret topsecret nosecret opensesame sesame
abracadabra alibaba aladdin bonheur liberte famille musique papillon princesse nounours poupee cocorico marseille
"""
FIGURES = [*map(str, range(10)), "00", "01", "07", "10", "11", "12", "13", "21", "22", "23", "69"]
FIGURES += ["77", "88", "99", "100", "111", "123", "321", "1234", "4321", "12345", "123456"]
FIGURES += [str(year) for year in range(1985, 2031)]
FIGURES += ["!", "!!", "?", ".", "*", "#", "@", "123!", "1!"]
KEYS = (
    "1234567890",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "azertyuiop",
    "qsdfghjklm",
    "wxcvbn",
    "qwertzuiop",
    "yxcvbnm",
    "abcdefghijklmnopqrstuvwxyz",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik",
    "qazwsxedcrfvtgbyhnujmik",
    "1q2w3e4r5t6y7u8i9o0p",
    "q1w2e3r4t5y6u7i8o9p0",
    "aqwzsxedcrfvtgb",
    "147258369",
    "159357",
)
READ = str.maketrans("0134578@$!|€", "oleastbasile")  # figures and signs that stand for letters
LONGEST_TAIL = 4  # figures and signs that make a word no better
_EDGES = re.compile(r"^[\W\d_]{0,4}(.*?)[\W\d_]{0,6}$", re.DOTALL)
_RUN = 4  # keys side by side


@cache
def stems() -> frozenset[str]:
    """The words."""
    return frozenset(STEMS.split())


def common_passwords() -> Iterator[str]:
    """The words with their usual figures: what a guesser has in his list, some 80,000."""
    return (stem + tail for stem in sorted(stems()) for tail in ("", *FIGURES))


def is_common(password: str, *names: str) -> bool:
    """Whether a password would be guessed early; `names` are words that go with it."""
    plain = password.casefold().strip()
    own = {re.sub(r"[\W\d_]", "", name.casefold()) for name in names}
    known = stems() | {name for name in own if len(name) > 2}
    return _is_pattern(plain) or _is_word(plain, known)


def _is_pattern(plain: str) -> bool:
    """Few different signs, figures only, something again and again, or keys side by side."""
    if len(set(plain)) < 4 or (plain.isdigit() and len(plain) < 12):
        return True
    size = len(plain)
    if any(plain == (plain[:part] * size)[:size] for part in range(1, size // 2 + 1)):
        return True
    return _left_of_runs(plain) <= 2


def _left_of_runs(plain: str) -> int:
    """How many signs are left when keys that lie side by side are taken away."""
    left, at = 0, 0
    while at < len(plain):
        run = max(_run(plain[at:]), 1)
        left, at = left + (run < _RUN), at + run if run >= _RUN else at + 1
    return left


def _run(text: str) -> int:
    """How long the keys at the beginning lie side by side, forwards or backwards."""
    longest = 0
    for keys in KEYS:
        for row in (keys, keys[::-1]):
            size = longest + 1
            while size <= len(text) and text[:size] in row:
                longest, size = size, size + 1
    return longest


def _is_word(plain: str, known: frozenset[str]) -> bool:
    """Words of the list, one or two, with at most some figures and signs around them."""
    edges = _EDGES.match(plain)
    inner = edges[1] if edges else plain
    for text in {plain, inner, inner.translate(READ), plain.translate(READ), inner[::-1]}:
        bare = re.sub(r"[\W\d_]", "", text)
        if len(text) - len(bare) <= LONGEST_TAIL + 2 and bare and _is_made_of(bare, known):
            return True
    return False


def _is_made_of(bare: str, known: frozenset[str]) -> bool:
    if bare in known:
        return True
    return any(bare[:at] in known and bare[at:] == bare[:at] for at in range(2, len(bare) - 1))
