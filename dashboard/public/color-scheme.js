// Runs before anything is drawn, so that a dark page never starts out white.
;(() => {
  let chosen = 'auto'
  try {
    chosen = localStorage.getItem('rapport-color-scheme') ?? 'auto'
  } catch {
    // Storage is off: the system decides.
  }
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
})()
