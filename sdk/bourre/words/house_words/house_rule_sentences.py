"""The rules of the game in sentences. A house rule has one for each of its values (docs/rules.md)."""

from bourre.words.house_words.house_rule_statement import Chapter, Statement

DEALING = Chapter(
    "Dealing",
    (
        Statement("R1.1", "52 cards, ace high; 2 to 8 seats, best 5 to 7; everything runs clockwise."),
        Statement(
            "R1.3",
            key="first_dealer",
            words={
                "seeded": "The first dealer is chosen at random; then the deal passes to the left.",
                "low_card": "Each seat draws a card and the lowest deals first; then the deal passes to the left.",
                "high_card": "Each seat draws a card and the highest deals first; then the deal passes to the left.",
            },
            number="Seat {} deals first; then the deal passes to the left.",
        ),
        Statement(
            "R2.1",
            key="ante",
            words={0: "There is no ante."},
            number="Before each deal every seat pays {} into the pot.",
        ),
        Statement("R2.5", key="ante_when", words={"always": "", "pot_empty": "Antes are paid only into an empty pot."}),
        Statement(
            "R2.3",
            key="dealer_antes_all",
            words={False: "", True: "The dealer pays the antes of all seats that owe one."},
        ),
        Statement(
            "R2.2",
            key="exempt_bourre",
            words={
                True: "A seat that matched the pot, for a bourré or a renege, is exempt from the next ante.",
                False: "A seat that matched the pot, for a bourré or a renege, still pays the next ante.",
            },
        ),
        Statement(
            "R2.2",
            key="exempt_tied",
            words={
                True: "Seats that tied for a split pot are exempt from the next ante.",
                False: "Seats that tied for a split pot still pay the next ante.",
            },
        ),
        Statement("R3.1", key="cards", number="Each seat is dealt {} cards, one at a time."),
        Statement(
            "R3.1, R3.2, R4.5",
            key="trump_card",
            words={
                "dealer_fifth": "The dealer's last card is turned up and its suit is trump; it stays in the dealer's "
                "hand. If it is an ace, the dealer must play.",
                "separate_dead": "One more card is turned up and its suit is trump; nobody gets the card.",
                "separate_dealer_option": "One more card is turned up and its suit is trump; a dealer who plays may "
                "take it in exchange for a discard; otherwise nobody gets it.",
                "separate_returned": "One more card is turned up, its suit is trump, and it is shuffled back "
                "into the stock before anyone declares.",
                "dealer_chooses": "No card is turned up: the dealer looks at the hand, then names the trump suit.",
            },
        ),
    ),
)

DECLARING = Chapter(
    "Declaring and drawing",
    (
        Statement(
            "R4.1",
            key="declare_mode",
            words={
                "turn": "From the dealer's left each seat in one turn passes, or plays and draws.",
                "separate": "From the dealer's left all declare in turn; then all who play draw in turn.",
                "simultaneous": "All declare at once and in secret; then all who play draw in turn.",
            },
        ),
        Statement(
            "R4.6",
            key="must_hold",
            words={
                "none": "",
                "trump_or_club": "Only a hand dealt a trump or a club may play, even the dealer's; if none may, the "
                "pot stays.",
            },
        ),
        Statement(
            "R2.4",
            key="second_ante",
            words={0: ""},
            number="Declaring play costs a second ante of {}, paid into this deal's pot; a dealer who must play and a "
            "seat that plays alone pay it too.",
        ),
        Statement("R4.2", "A seat that passes has nothing more to win or lose in this deal."),
        Statement(
            "R4.3",
            key="max_discards",
            words={0: "Nobody draws."},
            number="A seat that plays may exchange up to {} cards; all see how many, nobody sees which.",
        ),
        Statement(
            "R4.3",
            key="seven_player_limit",
            words={None: ""},
            number="With seven or more seats nobody discards more than {}.",
        ),
        Statement(
            "R4.4",
            key="recycle",
            words={
                "together": "If the stock runs out, discards and passed hands are shuffled into a new one.",
                "folded_first": "If the stock runs out, passed hands are shuffled into a new one; when those run "
                "out too, the discards are.",
            },
        ),
        Statement(
            "R4.9",
            key="second_pass",
            words={
                False: "",
                True: "After the draw each seat in, from the dealer's left, stays and pays the second ante again, or "
                "passes: it loses what it paid, but is not bourré. The last seat left is not asked, and wins.",
            },
        ),
        Statement(
            "R4.6",
            key="declare_mode",
            words={"simultaneous": "If nobody is in, the pot stays."},
            number="If all others pass, the dealer must play.",
        ),
        Statement("R4.8", "A seat that plays alone takes the pot at once, without a draw or a card played."),
        Statement("R4.7", "A seat that announces anything before its turn forfeits its next turn to deal."),
    ),
)

PLAYING = Chapter(
    "Play",
    (
        Statement(
            "R5.1",
            "The first seat in from the dealer's left leads, then the winner of each trick. The highest trump wins, "
            "or without one the highest card of the suit led.",
        ),
        Statement("R5.2", "Follow suit if you can."),
        Statement(
            "R5.3",
            key="must_beat",
            words={
                True: "Following suit, beat the best card so far if you can.",
                False: "Following suit, play any card of it.",
            },
        ),
        Statement(
            "R5.4",
            key="must_trump",
            words={
                "always": "Unable to follow, play a trump if you have one, even one that cannot win.",
                "if_can_win": "Unable to follow, play a trump if one of yours wins; otherwise any card.",
                "never": "Unable to follow, play any card.",
            },
        ),
        Statement(
            "R5.4",
            key="must_overtrump",
            words={
                True: "A trick already trumped must be overtrumped if you can.",
                False: "A trick already trumped need not be overtrumped.",
            },
            unless={"must_trump": "never", "must_beat": False},
        ),
        Statement("R5.5", "With neither the suit led nor a trump, play any card; it cannot win."),
        Statement(
            "R5.6",
            key="lead_honour",
            words={
                "none": "Lead any card.",
                "any": "Holding ace, king or queen of trumps, lead one of them.",
                "highest": "Holding ace, king or queen of trumps, lead the highest of them.",
            },
        ),
        Statement(
            "R5.6",
            key="lead_honour_when",
            words={"every": "This holds for every lead.", "first": "This holds for the first lead of the deal."},
            unless={"lead_honour": "none"},
        ),
        Statement(
            "R6.1, R6.2",
            key="cinch",
            words={
                True: "If you are sure of three tricks however the cards fall, you hold a cinch: lead your highest "
                "trump; when not leading, play it as soon as the rules allow, unless you are last to the trick.",
                False: "A hand that is sure of three tricks (a cinch) has no further duties.",
            },
        ),
        Statement(
            "R6.3",
            key="cinch_adjacent",
            words={
                True: "A trump next to the highest, counting what is played, is as good.",
                False: "A trump next to the highest is not as good.",
            },
            unless={"cinch": False},
        ),
    ),
)

SETTLING = Chapter(
    "Chips",
    (
        Statement("R7.1", "The seat with most tricks takes the pot."),
        Statement(
            "R7.2",
            key="tie",
            words={
                "carry": "If seats tie for most tricks, nobody takes the pot: it stays for the next deal.",
                "divide": "If seats tie for most tricks, they share the pot in whole chips; odd chips stay in the pot.",
            },
        ),
        Statement(
            "R7.3",
            "A seat that plays and takes no trick is bourré and matches the pot: it pays as much as the pot held.",
        ),
        Statement(
            "R7.4",
            key="pot_limit",
            words={None: "There is no pot limit."},
            number="Nobody takes more than {0} from a pot, and matching it costs at most {0}; the rest stays.",
        ),
        Statement("R7.6", "After the last deal the pot left on the table is shared equally among all seats."),
    ),
)

RENEGING = Chapter(
    "Reneges",
    (
        Statement(
            "R8.4",
            key="renege_policy",
            words={
                "prompt": "A card against these rules is a renege: the referee names the rule and asks once for "
                "another card.",
                "silent": "A card against these rules is a renege: the referee says nothing, and it may be recalled "
                "until the next card is played.",
                "retract": "A card against these rules is taken back and another asked for, without penalty.",
                "retract_renege": "A card against these rules is taken back, another asked for, and the penalty paid.",
                "strict": "A card against these rules is a renege, and it stands.",
            },
        ),
        Statement("R8.1", "A seat whose renege stands matches the pot, and cannot win it."),
        Statement(
            "R7.4",
            key="renege_multiple",
            words={1: ""},
            number="Matching the pot for a renege costs {} times the pot.",
        ),
        Statement(
            "R8.2",
            "A seat that corrects its renege in time does not match the pot, but it cannot win it and forfeits its "
            "next turn to deal.",
        ),
        Statement(
            "R8.3",
            key="renege_pot",
            words={
                "carry": "If such a seat has most tricks, the pot stays.",
                "next_best": "If such a seat has most tricks, the next best without a renege takes the pot.",
            },
        ),
        Statement(
            "R8.5",
            "If a seat plays no valid card in time, the referee plays its lowest legal one, and the seat pays as for a "
            "renege. Without an answer in time a seat passes, or stands pat.",
        ),
        Statement(
            "R8.6",
            key="fault_fine",
            words={0: ""},
            number="Each fault, and each renege that is corrected, also costs a fine of {}, paid into the next pot.",
        ),
        Statement(
            "R8.5",
            key="trump_card",
            words={
                **dict.fromkeys(("dealer_fifth", "separate_dead", "separate_dealer_option", "separate_returned"), ""),
                "dealer_chooses": "If the dealer names no trump in time, the dealer's lowest card decides it.",
            },
        ),
        Statement(
            "R8.5",
            key="second_pass",
            words={False: "", True: "A seat that does not say in time whether it stays passes."},
        ),
    ),
)

CHAPTERS = (DEALING, DECLARING, PLAYING, SETTLING, RENEGING)
