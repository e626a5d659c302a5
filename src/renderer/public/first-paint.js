// Before the first frame: the theme, contrast and density of last time, so that nothing flashes (U-242). A file of its
// own because the content policy allows no inline script. The stored facts win as soon as they are read.
for (const name of ['theme', 'contrast', 'density']) {
  try {
    const value = localStorage.getItem(`herma.${name}`)
    if (value) document.documentElement.dataset[name] = value
  } catch {
    break // storage is closed to this page: the system's theme shows until the stored one is read
  }
}
