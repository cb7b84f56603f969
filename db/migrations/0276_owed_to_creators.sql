-- What a creator is given again of a dispute that was won, and of its fee, leaves the platform's own balance, and only from what is
-- available there. Since when that was refused for certain: it is tried again, and nothing of the dispute is settled meanwhile.
alter table disputes add column again_refused_at timestamptz;
alter table disputes add column fee_back_refused_at timestamptz;
