// Stores the chosen color scheme in the browser. The server renders the first content before any script runs, so a
// cookie passes the scheme to the server. public/color-scheme.js sets the same cookie at the start of each page.
import { localStorageColorSchemeManager, type MantineColorSchemeManager } from '@mantine/core'

const KEY = 'rapport-color-scheme'
const YEAR_SECONDS = 365 * 24 * 3600
const stored = localStorageColorSchemeManager({ key: KEY })

export const colorScheme: MantineColorSchemeManager = {
  ...stored,
  set(value) {
    stored.set(value)
    // biome-ignore lint/suspicious/noDocumentCookie: the store of cookies is not in every browser that we support
    document.cookie = `${KEY}=${value}; path=/; max-age=${value === 'auto' ? 0 : YEAR_SECONDS}; samesite=lax`
  },
}
