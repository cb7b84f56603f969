-- Numbers of receipts that follow each other tell everybody who buys twice how much is sold in between. New ones are drawn.
alter table receipts alter column number drop identity;
alter table receipts alter column number set default 1000000000 + floor(random() * 9000000000)::bigint;
