// Content of a page's document that comes before the scripts: the outline of the page, links to its files and its first
// requests. Without it, the files of a page wait for the first script, and its requests wait for all files.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

interface Start {
  /** A pattern of paths. Requests use its groups as $1 and $2. */
  address: string
  /** A pattern of query strings. Without it, any query matches. */
  query?: string
  /** Modules that these pages load on demand. */
  modules: readonly string[]
  /** Requests that these pages send first. */
  requests: readonly string[]
  /** Further first requests of an address without a query. */
  plainRequests?: readonly string[]
  /** The first content of the page in the document (server/pages/first-content.ts). */
  first?: 'table' | 'board' | 'record' | 'home'
}

const PART = '([\\w.~%-]+)'
const ORGANIZATION = `^/o/${PART}`
const OBJECT = `${ORGANIZATION}/objects/${PART}`
const FRAME = 'app/frame/app-frame.tsx'
const API = '/dashboard/api'
const SESSION = [`${API}/visitor`, `${API}/organizations/$1/objects`]
const OF_OBJECT = [...SESSION, `${API}/organizations/$1/objects/$2`]

const RECORD = `${API}/organizations/$1/objects/$2/records/$3`
const VIEWS = `${API}/organizations/$1/objects/$2/views`

/** The first entry that matches is used. */
const STARTS: readonly Start[] = [
  {
    address: `${OBJECT}/?$`,
    query: '^kind=board(&|$)',
    modules: [FRAME, 'features/records/records-page.tsx', 'features/records/board/board.tsx'],
    requests: [...OF_OBJECT, VIEWS],
    first: 'board',
  },
  {
    address: `${OBJECT}/?$`,
    modules: [FRAME, 'features/records/records-page.tsx'],
    requests: [...OF_OBJECT, VIEWS],
    // The same request as that of load-records.ts.
    plainRequests: [`${API}/organizations/$1/objects/$2/records?limit=100&offset=0&count=true`],
    first: 'table',
  },
  {
    address: `${OBJECT}/([0-9a-f-]{36})$`,
    modules: [FRAME, 'features/records/record-page.tsx'],
    // The same request as that of features/comments/api.ts: the page waits for it before it is rendered.
    requests: [...OF_OBJECT, RECORD, `${RECORD}/comments?limit=20&offset=0`],
    first: 'record',
  },
  {
    address: `${ORGANIZATION}/?$`,
    modules: [FRAME, 'features/home/home-page.tsx'],
    requests: [...SESSION, `${API}/organizations/$1/home`, `${API}/organizations/$1/members`],
    first: 'home',
  },
  { address: `${ORGANIZATION}/`, modules: [FRAME], requests: SESSION },
]

type Chunk = Rolldown.OutputChunk

/** The files and everything that they import. */
function withImports(chunks: readonly Chunk[], names: readonly string[]): Set<string> {
  const files = new Set(names)
  for (const file of files)
    for (const imported of chunks.find(({ fileName }) => fileName === file)?.imports ?? [])
      files.add(imported)
  return files
}

// Low priority: loaded after the files of the shell and the first script.
const LATER = 'crossorigin fetchpriority="low"'

function linksTo(chunks: readonly Chunk[], modules: readonly string[]): string {
  const entry = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName)
  const loaded = chunks.filter(({ moduleIds }) =>
    moduleIds.some((id) => modules.some((module) => id.endsWith(module))),
  )
  const scripts = withImports(
    chunks,
    loaded.map(({ fileName }) => fileName),
  ).difference(withImports(chunks, entry))
  const styles = new Set(
    chunks
      .filter(({ fileName }) => scripts.has(fileName))
      .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]),
  )
  return [
    ...[...styles].map((file) => `<link rel="preload" as="style" ${LATER} href="/${file}">`),
    ...[...scripts].map((file) => `<link rel="modulepreload" ${LATER} href="/${file}">`),
  ].join('')
}

const linkToAnswer = (path: string) =>
  `<link rel="preload" as="fetch" crossorigin href="${path.replaceAll('&', '&amp;')}">`

const sourceOf = (name: string) => readFile(join(import.meta.dirname, 'app', name), 'utf8')

/** The width of table columns, in pixels, by attribute type. */
async function columnWidths(): Promise<Record<string, number>> {
  const dir = join(import.meta.dirname, 'types')
  const types = (await readdir(dir)).filter((file) => file.endsWith('.tsx'))
  const widths = types.map(async (file) => {
    const [, width] = /^ {2}columnWidth: (\d+),$/m.exec(await readFile(join(dir, file), 'utf8')) ?? []
    return [file.replace('.tsx', '').replace('-', '_'), Number(width ?? 0)] as const
  })
  return Object.fromEntries((await Promise.all(widths)).filter(([, width]) => width > 0))
}

/** The styles of the shell, and the theme tokens that they use. */
async function shellStyle(widths: Readonly<Record<string, number>>): Promise<string> {
  const sheets = await Promise.all(
    ['shell.css', 'shell-table.css', 'shell-record.css', 'shell-pages.css'].map(sourceOf),
  )
  const [shell, theme] = [sheets.join(' '), await sourceOf('styles.css')]
  const named = new Set([...shell.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name))
  const tokens = [...theme.matchAll(/(--[\w-]+): [^;]+;/g)].filter(([, name]) => named.has(name))
  const columns = [...new Set(Object.values(widths))].map((width) => `.w-${width} { width: ${width}px; }`)
  const css = `:root { ${tokens.map(([declaration]) => declaration).join(' ')} } ${shell} ${columns.join(' ')}`
  return css.replace(/\/\*.*?\*\//gs, '').replace(/\s+/g, ' ')
}

const STYLES = /<link rel="stylesheet"[^>]*>/g
const ENTRY = /<script type="module"[^>]*>/

/** A style sheet that is loaded without blocking. The first script applies it (app/styles-ready.ts). */
const laterStyle = (link: string) =>
  `${link.replace('"stylesheet"', '"preload" as="style"')}${link.replace('>', ' media="print">')}`

/** The document with the shell, which the browser draws before any other file is loaded. */
async function documentFrom(index: string, widths: Readonly<Record<string, number>>): Promise<string> {
  const [style, shell] = await Promise.all([shellStyle(widths), sourceOf('shell.html')])
  return index
    .replace(STYLES, laterStyle)
    .replace(ENTRY, (script) => script.replace('>', ' fetchpriority="low">'))
    .replace('</head>', '<script async fetchpriority="high" src="/first-keys.js"></script></head>')
    .replace('</head>', `<style nonce="__NONCE__">${style}</style></head>`)
    .replace('<div id="root">', `<div id="root">${shell.trim()}`)
}

/** Writes the documents of organization pages for the server (server/pages/pages.ts). */
export function writeStarts(): Plugin {
  return {
    name: 'starts',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const pages = STARTS.map(({ modules, requests, plainRequests = [], ...start }) => ({
        ...start,
        files: linksTo(chunks, modules),
        answers: requests.map(linkToAnswer).join(''),
        plainAnswers: plainRequests.map(linkToAnswer).join(''),
      }))
      const widths = await columnWidths()
      const document = await documentFrom(await readFile(join(dir, 'index.html'), 'utf8'), widths)
      await writeFile(join(dir, 'starts.json'), JSON.stringify({ document, columnWidths: widths, pages }))
    },
  }
}
