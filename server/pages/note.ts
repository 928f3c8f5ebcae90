// Pages that are shown instead of the dashboard: each describes the state, and reloads itself if that can help.

/** The content of such a page, and after how many seconds the browser reloads it. */
export interface Note {
  title: string
  text: string
  againSeconds?: number
}

/** @param scheme the color scheme that the visitor chose; undefined for that of the system */
const styleOf = (scheme = 'light dark') => `
:root { color-scheme: ${scheme}; font: 16px/1.5 system-ui, sans-serif }
body { display: grid; min-height: 100vh; margin: 0; place-items: center }
main { max-width: 30rem; padding: 1.5rem }
h1 { margin: 0 0 .5rem; font-size: 1.25rem; line-height: 1.3 }
p { margin: 0 0 .75rem }`

interface Look {
  /** The nonce of the styles, as in the policy of the page. */
  nonce: string
  colorScheme?: string | undefined
}

export const notePage = ({ title, text }: Note, { nonce, colorScheme }: Look): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Rapport</title>
<style nonce="${nonce}">${styleOf(colorScheme)}
</style>
</head>
<body>
<main>
<h1>${title}</h1>
${text
  .split('\n')
  .map((line) => `<p>${line}</p>`)
  .join('\n')}
</main>
</body>
</html>
`

export const BUILDING: Note = {
  title: 'The dashboard is being built',
  text: 'This takes some seconds after the first start or an update. The dashboard opens here when it is ready.',
  againSeconds: 1,
}

export const FAILED: Note = {
  title: 'The dashboard could not be built',
  text: 'The API works. The log of the service says what went wrong. Run npm run build to try again.',
}

export const DATABASE_AWAY: Note = {
  title: 'The database does not respond',
  text: 'Rapport is running, but its database does not respond at the moment, so this page cannot be shown. What was saved is not lost.\nThis page tries again every 5 seconds, and opens when the database responds.\nIf you run this installation: the log of the service and /readyz say why.',
  againSeconds: 5,
}
