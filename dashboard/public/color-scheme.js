// Runs as early as it can, so that a dark page never starts out white. The cookie says the same to the server, whose
// documents are drawn before any script runs (server/pages/pages.ts).
;(() => {
  let chosen = 'auto'
  try {
    chosen = localStorage.getItem('rapport-color-scheme') ?? 'auto'
  } catch {
    // Storage is off: the system decides.
  }
  const seconds = chosen === 'auto' ? 0 : 365 * 24 * 3600
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing over http, and in older browsers
  document.cookie = `rapport-color-scheme=${chosen}; path=/; max-age=${seconds}; samesite=lax`
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
})()
