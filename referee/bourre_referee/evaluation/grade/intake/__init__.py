"""Takes in what students hand in: files, folders, zips and repositories, in the layouts of course systems."""
