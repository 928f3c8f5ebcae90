// The architecture, held: who may import whom, where the environment is read, how long things may get.
//
// Imports of types count like any other: they tie one file to another just the same.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ENGINE_ENTRIES, ENGINE_USES } from './engine-entries.ts'
import { createExceptions } from './exceptions.ts'
import { filesInCircles, isTest, type Module, modules } from './imports.ts'
import { withLongFunctions } from './long-functions.ts'
import { ENGINE, engineFolderOf, RECORDS, recordsFolderOf } from './record-layers.ts'

const FILE_LINES_MAX = 400
const FUNCTION_LINES_MAX = 40

const source = modules.filter(({ file }) => !isTest(file))

const within =
  (...folders: string[]) =>
  (file: string) =>
    folders.some((folder) => file.startsWith(`${folder}/`))

/**
 * Folders of the server from the lowest floor to the highest: each may import those of lower floors, and none of its
 * own floor.
 */
const FLOORS: readonly (readonly string[])[] = [
  ['base', 'config'],
  ['db'],
  ['events', 'http', 'jobs', 'mail', 'placement', 'secrets'],
  ['cells', 'files', 'model', 'pages'],
  ['identity', 'records'],
  ['attachments', 'attribute-changes', 'duplicates', 'notifications', 'reports', 'views'],
  ['activities', 'comments', 'imports', 'webhooks'],
  [
    'change-sets',
    'deletion',
    'home',
    'live',
    'reassignments',
    'record-jobs',
    'retention',
    'search',
    'workflows',
  ],
  ['demo', 'operations', 'privacy'],
  ['entry'],
]

/** Folders of resources within others, and what each may import of the folder around it. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  'model/objects': [],
  'model/attributes': ['model/objects'],
  identity: ['identity/members'],
  'identity/members': [],
  'identity/api-keys': ['identity/members'],
  'identity/invitations': ['identity', 'identity/members'],
  'identity/me': ['identity', 'identity/api-keys'],
  webhooks: ['webhooks/portal'],
  'webhooks/portal': [],
}

const floorOf = (folder: string) => FLOORS.findIndex((folders) => folders.includes(folder))
const folderOf = (file: string) => /^server\/([^/]+)\//.exec(file)?.[1]

/** Those that know resources, and are none. */
const OTHERS = ['pages', 'demo', 'operations', 'entry']

const resourceOf = (file: string) => {
  const [, folder = '', inner = ''] = /^server\/([^/]+)\/(?:([^/]+)\/)?/.exec(file) ?? []
  if (floorOf(folder) <= floorOf('http') || OTHERS.includes(folder)) return undefined
  return Object.hasOwn(WITHIN, `${folder}/${inner}`) ? `${folder}/${inner}` : folder
}

/** Layers of the dashboard, each with what it may use: only downward. `shared` and `types` use each other. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  ui: [],
  types: ['ui', 'shared'],
  shared: ['ui', 'types'],
  features: ['ui', 'types', 'shared'],
  app: ['ui', 'types', 'shared', 'features'],
  design: ['ui', 'shared', 'app'],
}

/** Features of the dashboard, and which others each may use: only downward. */
const FEATURES: Readonly<Record<string, readonly string[]>> = {
  activities: ['comments', 'inbox'],
  comments: [],
  inbox: [],
  home: ['activities', 'records'],
  identity: [],
  import: ['settings'],
  portal: ['webhooks'],
  records: ['activities', 'comments', 'inbox', 'workflows'],
  reports: ['workflows'],
  settings: ['identity'],
  webhooks: [],
  workflows: ['webhooks'],
}

/** What is allowed all the same, each with its reason; one that is no longer needed fails. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'server/base/command-name.ts reads process.env':
    'how the process was started is no setting, and messages are written far from the configuration',
  'server/db/embedded/launcher.ts reads process.env':
    'PostgreSQL runs with the environment of the service, made smaller: it is passed on, not read',
  'server/pages/build.ts reads process.env':
    'Vite runs with the environment of the service, made one of production: it is passed on, not read',
  'dashboard/features/webhooks/samples/node-crypto.ts reads process.env':
    'it does not: the text it holds does, where a user of the service runs it',
  'dashboard/features/webhooks/samples/node-library.ts reads process.env':
    'it does not: the text it holds does, where a user of the service runs it',
  'server/identity/dashboard-routes.ts → server/identity/members/member-changes.ts':
    'events of members, which routes of three resources announce',
  'server/identity/invitations/routes.ts → server/identity/members/member-changes.ts':
    'events of members, which routes of three resources announce',
  'server/test/global-setup.ts has a default export': 'Vitest asks for it',
  'server/test/report.ts has a default export': 'Vitest asks for it',
  'dashboard/vite.config.ts has a default export': 'Vite asks for it',
}

const { excepting, unused } = createExceptions(EXCEPTIONS)

/** Every import, of the files that `from` picks, that `isForbidden`. */
const forbidden = (
  from: (file: string) => boolean,
  isForbidden: (imported: string, file: string) => boolean,
) =>
  excepting(
    source
      .filter(({ file }) => from(file))
      .flatMap(({ file, imports }) =>
        imports.filter((imported) => isForbidden(imported, file)).map((imported) => `${file} → ${imported}`),
      ),
  )

const ours = within('contract', 'server', 'cli', 'bench', 'dashboard')

describe('imports', () => {
  test('are found', () => {
    const api = modules.find(({ file }) => file === 'server/entry/api.ts')
    expect(api?.imports).toEqual(
      expect.arrayContaining(['fastify', 'server/http/openapi.ts', 'contract/limits.ts']),
    )
    for (const { imports } of modules)
      for (const imported of imports.filter((to) => ours(to) && /\.tsx?$/.test(to)))
        expect(modules.map(({ file }) => file)).toContain(imported)
  })

  test('lead in no circle', () => {
    expect(excepting(filesInCircles(modules).map((file) => `${file} is in a circle`))).toEqual([])
  })

  test('of the contract: typebox and the contract', () => {
    const outside = (to: string) => to !== 'typebox' && !within('contract')(to)
    expect(forbidden(within('contract'), outside)).toEqual([])
  })

  test('of the dashboard: no part of ours but the contract', () => {
    const own = within('dashboard', 'contract')
    expect(forbidden(within('dashboard'), (to) => ours(to) && !own(to))).toEqual([])
  })

  test('of the dashboard: only types from files of the contract that declare routes', () => {
    const declaring = modules
      .filter(({ imports }) => imports.includes('contract/route.ts'))
      .map(({ file }) => file)
    const isLoaded = (to: string, file: string) => {
      const { text = '' } = modules.find((one) => one.file === file) ?? {}
      const statements = text.match(/^(?:import|export) (?!type\b)[^;]*?from '[^']+'/gm) ?? []
      return declaring.includes(to) && statements.some((one) => one.endsWith(`/${to}'`))
    }
    expect(declaring.length).toBeGreaterThan(20)
    expect(forbidden(within('dashboard'), isLoaded)).toEqual([])
  })

  test('of the server: no dashboard, command, benchmark or test', () => {
    const outside = within('dashboard', 'cli', 'bench')
    expect(forbidden(within('server'), (to) => outside(to) || isTest(to))).toEqual([])
  })

  test('between folders of the server: only down', () => {
    const isUp = (to: string, file: string) => {
      const [from, used] = [folderOf(file), folderOf(to)]
      return from !== undefined && used !== undefined && from !== used && floorOf(used) >= floorOf(from)
    }
    expect(forbidden(within('server'), isUp)).toEqual([])
  })

  test('within a folder: resources use only those that are named', () => {
    const isForeign = (to: string, file: string) => {
      const [user, used] = [resourceOf(file), resourceOf(to)]
      return Boolean(user && used && user !== used && WITHIN[user] && !WITHIN[user].includes(used))
    }
    expect(
      forbidden(
        (file) => folderOf(file) !== undefined,
        (to, file) => folderOf(to) === folderOf(file) && isForeign(to, file),
      ),
    ).toEqual([])
  })

  test('within records: only downward', () => {
    const isUpward = (to: string, file: string) => {
      const [user, used] = [recordsFolderOf(file), recordsFolderOf(to)]
      return Boolean(user && used && user !== used && !RECORDS[user]?.includes(used))
    }
    expect(forbidden((file) => recordsFolderOf(file) !== undefined, isUpward)).toEqual([])
    // Files in the folder of records itself put its parts together.
    const isAbove = (to: string) => within('server/records')(to) && recordsFolderOf(to) === undefined
    expect(forbidden((file) => recordsFolderOf(file) !== undefined, isAbove)).toEqual([])
  })

  test('of the query engine: of records only what compares and orders values, and stored rows', () => {
    const beneath = ENGINE_USES.map((name) => `server/records/${name}.ts`)
    const engine = within('server/records/engine')
    const isForbidden = (to: string) => within('server/records')(to) && !engine(to) && !beneath.includes(to)
    expect(forbidden(engine, isForbidden)).toEqual([])
  })

  test('of the query engine from outside: only its entry points', () => {
    const entries = ENGINE_ENTRIES.map((name) => `server/records/engine/${name}.ts`)
    const isForbidden = (to: string) => within('server/records/engine')(to) && !entries.includes(to)
    expect(forbidden((file) => !within('server/records/engine')(file), isForbidden)).toEqual([])
  })

  test('within the query engine: only downward', () => {
    const isUpward = (to: string, file: string) => {
      const [user, used] = [engineFolderOf(file), engineFolderOf(to)]
      if (!user || !within('server/records/engine')(to)) return false
      return user !== used && !(used && ENGINE[user]?.includes(used))
    }
    expect(forbidden((file) => engineFolderOf(file) !== undefined, isUpward)).toEqual([])
  })

  test('know every folder of records', () => {
    const folders = source.flatMap(({ file }) => recordsFolderOf(file) ?? [])
    expect([...new Set(folders)].toSorted()).toEqual(Object.keys(RECORDS).toSorted())
    const inEngine = source.flatMap(({ file }) => engineFolderOf(file) ?? [])
    expect([...new Set(inEngine)].toSorted()).toEqual(Object.keys(ENGINE).toSorted())
  })

  test('know every folder of the server', () => {
    const folders = new Set(source.map(({ file }) => folderOf(file)).filter((one) => one !== undefined))
    expect([...folders].sort()).toEqual(FLOORS.flat().sort())
  })
})

describe('of the dashboard', () => {
  const layerOf = (file: string) => /^dashboard\/(\w+)\//.exec(file)?.[1] ?? ''
  const featureOf = (file: string) => /^dashboard\/features\/(\w+)\//.exec(file)?.[1]
  const known = (names: Readonly<Record<string, unknown>>, found: (string | undefined)[]) =>
    found.filter((name) => name !== undefined && !Object.hasOwn(names, name))

  test('layers: only downward', () => {
    const isUpward = (to: string, file: string) =>
      within('dashboard')(to) &&
      layerOf(to) !== layerOf(file) &&
      !LAYERS[layerOf(file)]?.includes(layerOf(to))
    const layered = (file: string) => Object.hasOwn(LAYERS, layerOf(file))
    expect(forbidden(layered, isUpward)).toEqual([])
    const files = source.map(({ file }) => file).filter(within('dashboard'))
    expect(known(LAYERS, files.filter((file) => file.split('/').length > 2).map(layerOf))).toEqual([])
  })

  test('ui: no service, and of the contract only how numbers, dates and nouns are written', () => {
    const isLanguage = (to: string) => ['contract/language.ts', 'contract/counted.ts'].includes(to)
    const isOther = (to: string) => within('contract')(to) && !isLanguage(to)
    expect(forbidden(within('dashboard/ui'), isOther)).toEqual([])
  })

  test('features: only downward, and no folders of another', () => {
    const isForeign = (to: string, file: string) =>
      featureOf(to) !== undefined && featureOf(file) !== undefined && featureOf(to) !== featureOf(file)
    const isUpward = (to: string, file: string) =>
      isForeign(to, file) &&
      // Anyone may link to a page.
      !to.endsWith('/paths.ts') &&
      !FEATURES[featureOf(file) ?? '']?.includes(featureOf(to) ?? '')
    // What lies in a feature's own folder and in its api/ is its entrance.
    const isInside = (to: string, file: string) =>
      featureOf(to) !== featureOf(file) && /^dashboard\/features\/\w+\/(?!api\/)\w+\//.test(to)
    expect(forbidden(within('dashboard/features'), isUpward)).toEqual([])
    expect(forbidden(within('dashboard'), isInside)).toEqual([])
    expect(
      known(
        FEATURES,
        source.map(({ file }) => featureOf(file)),
      ),
    ).toEqual([])
  })
})

describe('layers: routes → service → store → db', () => {
  const isRoutes = (file: string) => /\/(?:dashboard-)?routes\.ts$/.test(file)
  const isService = (file: string) => file.endsWith('/service.ts')
  const isStore = (file: string) => /(?:\/|-)store\.ts$/.test(file)

  const LISTS = [
    'server/entry/resources.ts',
    'server/entry/api.ts',
    'server/entry/dashboard-api.ts',
    'server/entry/portal-api.ts',
    'dashboard/app/router.ts',
  ]

  test('routes are imported only by the lists of routes', () => {
    expect(forbidden((file) => !LISTS.includes(file), isRoutes)).toEqual([])
  })

  test('routes use their own resource, and no database', () => {
    const isForeign = (to: string, file: string) =>
      within('server/db')(to) || (resourceOf(to) !== undefined && resourceOf(to) !== resourceOf(file))
    expect(forbidden(isRoutes, isForeign)).toEqual([])
  })

  test('stores use no service', () => {
    expect(forbidden(isStore, isService)).toEqual([])
  })

  test('jobs are imported only by the list of jobs', () => {
    const isJobs = (file: string) => resourceOf(file) !== undefined && file.endsWith('/jobs.ts')
    expect(forbidden((file) => file !== 'server/entry/worker.ts', isJobs)).toEqual([])
  })
})

describe('files', () => {
  const faults = (which: readonly Module[], fault: string, isFaulty: (one: Module) => boolean) =>
    excepting(which.filter(isFaulty).map(({ file }) => `${file} ${fault}`))

  // Where a process begins: the service, commands and benchmarks.
  const isEntry = (file: string) =>
    [
      'server/main.ts',
      'server/operations/cluster/main.ts',
      'server/entry/dev/main.ts',
      'server/entry/demo-main.ts',
    ].includes(file) || within('cli', 'bench')(file)

  test('read the environment only in config.ts, given to it where a process begins', () => {
    const others = source.filter(({ file }) => file !== 'server/config/config.ts' && !isEntry(file))
    expect(faults(others, 'reads process.env', ({ text }) => /\bprocess\.env\b/.test(text))).toEqual([])
  })

  test('have no default export', () => {
    expect(
      faults(modules, 'has a default export', ({ text }) =>
        /^export (?:default\b|\{[^}]*\bdefault\b)/m.test(text),
      ),
    ).toEqual([])
  })

  test(`have at most ${FILE_LINES_MAX} lines`, () => {
    expect(
      faults(modules, 'is too long', ({ text }) => text.trimEnd().split('\n').length > FILE_LINES_MAX),
    ).toEqual([])
  })

  // Words that the glossary replaces; other folders still have some.
  test('speak present-day English in the query engine', () => {
    const dialect =
      /\b(?:told|tells|whoever|nobody|somebody|anew|lately|mend|ladder|rung|climb|upkeep|tally|tallies|probes?|seeker|lacking)\b/i
    const engine = source.filter(({ file }) => within('server/records/engine')(file))
    expect(engine.length).toBeGreaterThan(40)
    expect(faults(engine, 'uses an old word', ({ text }) => dialect.test(text))).toEqual([])
  })

  test('have no name that says nothing', () => {
    expect(
      faults(modules, 'is named so', ({ file }) =>
        /(?:utils?|helpers?|manager|misc|common-.*)\.tsx?$/.test(file),
      ),
    ).toEqual([])
  })
})

describe('functions', () => {
  test(`have at most ${FUNCTION_LINES_MAX} lines, by a rule of the linter`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rapport-lines-'))
    const long = (name: string, lines: number) =>
      writeFileSync(join(folder, name), `export function long() {\n${'  console.log()\n'.repeat(lines)}}\n`)
    long('right.ts', FUNCTION_LINES_MAX)
    long('long.ts', FUNCTION_LINES_MAX + 1)
    const found = await withLongFunctions(folder)
    rmSync(folder, { recursive: true })
    expect(found.map((path) => basename(path))).toEqual(['long.ts'])
  })
})

test('every exception is still needed', () => {
  expect(unused()).toEqual([])
})
