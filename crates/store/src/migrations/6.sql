-- What people agree to belongs to the matter that it is about, and they see which one that is.
ALTER TABLE request ADD COLUMN matter TEXT;
