// What a page's document has in it ahead of the scripts: the shape of the page, its files and its first requests.
// Without them, the files of a page wait for the first script, and its requests for all of them.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

interface Start {
  /** A pattern of paths; its groups are the parts that a request names as $1 and $2. */
  address: string
  /** What is loaded on demand there. */
  modules: readonly string[]
  /** What is read first there. */
  requests: readonly string[]
  /** The same where the address has no query. */
  plainRequests?: readonly string[]
}

const PART = '([\\w.~%-]+)'
const ORGANIZATION = `^/o/${PART}`
const OBJECT = `${ORGANIZATION}/objects/${PART}`
const FRAME = 'app/frame/app-frame.tsx'
const API = '/dashboard/api'
const SESSION = [`${API}/visitor`, `${API}/organizations/$1/objects`]
const OF_OBJECT = [...SESSION, `${API}/organizations/$1/objects/$2`]

/** The first that fits. */
const STARTS: readonly Start[] = [
  {
    address: `${OBJECT}/?$`,
    modules: [FRAME, 'features/records/records-page.tsx'],
    requests: [...OF_OBJECT, `${API}/organizations/$1/objects/$2/views`],
    // As load-records.ts asks for it.
    plainRequests: [`${API}/organizations/$1/objects/$2/records?limit=100&offset=0&count=true`],
  },
  {
    address: `${OBJECT}/[0-9a-f-]{36}$`,
    modules: [FRAME, 'features/records/record-page.tsx'],
    requests: OF_OBJECT,
  },
  { address: `${ORGANIZATION}/?$`, modules: [FRAME, 'features/home/home-page.tsx'], requests: SESSION },
  { address: `${ORGANIZATION}/`, modules: [FRAME], requests: SESSION },
]

type Chunk = Rolldown.OutputChunk

/** With all that they import. */
function withImports(chunks: readonly Chunk[], names: readonly string[]): Set<string> {
  const files = new Set(names)
  for (const file of files)
    for (const imported of chunks.find(({ fileName }) => fileName === file)?.imports ?? [])
      files.add(imported)
  return files
}

// After what the shell is drawn with, and the first script.
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

/** Writes for the server (server/pages/starts.ts) what the documents of the pages of an organization have in them. */
export function writeStarts(): Plugin {
  return {
    name: 'starts',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const shell = await readFile(join(import.meta.dirname, 'app/shell.html'), 'utf8')
      const pages = STARTS.map(({ address, modules, requests, plainRequests = [] }) => ({
        address,
        files: linksTo(chunks, modules),
        answers: requests.map(linkToAnswer).join(''),
        plainAnswers: plainRequests.map(linkToAnswer).join(''),
      }))
      await writeFile(join(dir, 'starts.json'), JSON.stringify({ shell: shell.trim(), pages }))
    },
  }
}
