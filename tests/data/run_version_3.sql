CREATE TABLE contest (
    id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    commitment VARCHAR NOT NULL,
    PRIMARY KEY (id)
);

CREATE TABLE "match" (
    number INTEGER NOT NULL,
    "match" VARCHAR NOT NULL,
    deals INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    isolation VARCHAR NOT NULL,
    unit INTEGER NOT NULL,
    blocks BLOB,
    record BLOB NOT NULL,
    sha256 BLOB NOT NULL,
    PRIMARY KEY (number),
    UNIQUE ("match")
);

CREATE TABLE void (
    "match" VARCHAR NOT NULL,
    attempt INTEGER NOT NULL,
    "by" VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    at VARCHAR NOT NULL,
    revealed BOOLEAN NOT NULL,
    record BLOB,
    PRIMARY KEY ("match", attempt)
)
 WITHOUT ROWID;

CREATE TABLE fault (
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    fault VARCHAR NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (number, seat, fault),
    FOREIGN KEY(number) REFERENCES "match" (number)
)
 WITHOUT ROWID;

CREATE TABLE remark (
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    notes BLOB,
    dropped INTEGER NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    cost_millionths INTEGER NOT NULL,
    PRIMARY KEY (number, seat),
    FOREIGN KEY(number) REFERENCES "match" (number)
)
 WITHOUT ROWID;

CREATE TABLE renege (
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    rule VARCHAR NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (number, seat, rule),
    FOREIGN KEY(number) REFERENCES "match" (number)
)
 WITHOUT ROWID;

CREATE TABLE seat (
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    bot VARCHAR NOT NULL,
    chips VARCHAR NOT NULL,
    rank INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    bourres INTEGER NOT NULL,
    reneges INTEGER NOT NULL,
    faults INTEGER NOT NULL,
    house_deals INTEGER NOT NULL,
    decisions INTEGER NOT NULL,
    total_ms FLOAT NOT NULL,
    longest_ms FLOAT NOT NULL,
    queue_ms FLOAT NOT NULL,
    bot_ms FLOAT NOT NULL,
    cpu_ms FLOAT NOT NULL,
    PRIMARY KEY (number, seat),
    FOREIGN KEY(number) REFERENCES "match" (number)
)
 WITHOUT ROWID;

