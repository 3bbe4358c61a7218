device!(OfSkeletonIp(SkeletonIp): "skeleton-ip");
