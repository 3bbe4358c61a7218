mod skeleton_ip {
    use skeleton_ip as product;

    include!("tests.rs");
}

