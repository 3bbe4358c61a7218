mod r0;
mod r1;
