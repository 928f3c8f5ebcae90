// Groups modules into files. By default, the bundler creates a file for each set of pages that shares modules: the
// table would need 115 requests, most of them for one icon.
import type { Rolldown } from 'vite'

type Context = Parameters<Rolldown.CodeSplittingNameFunction>[1]

const FRAME = 'dashboard/app/frame/app-frame.tsx'
/**
 * Pages that are opened first. The modules that they share with other pages are in one file for each set of first
 * pages.
 */
const FIRST = {
  home: 'dashboard/features/home/home-page.tsx',
  record: 'dashboard/features/records/record-page.tsx',
  table: 'dashboard/features/records/records-page.tsx',
}
const EDITOR = 'dashboard/shared/table/cell-editor.tsx'
/** Modules that at least this many pages share, first pages among them, are in one file. */
const COMMON = 12

/** A page is a module that is loaded on demand. */
const isPage = (module: string, context: Context): boolean =>
  (context.getModuleInfo(module)?.dynamicImporters ?? []).length > 0

/** The pages that import a module directly or indirectly. */
function pagesOf(module: string, context: Context): Set<string> {
  const pages = new Set<string>()
  const seen = new Set([module])
  for (const id of seen) {
    if (isPage(id, context)) pages.add(id)
    for (const importer of context.getModuleInfo(id)?.importers ?? []) seen.add(importer)
  }
  return pages
}

const has = (pages: Set<string>, page: string) => [...pages].some((id) => id.endsWith(page))

/** @returns the name of the file; null lets the bundler decide */
function fileOf(module: string, context: Context): string | null {
  if (isPage(module, context)) return null
  const pages = pagesOf(module, context)
  if (has(pages, FRAME)) return 'frame'
  if (pages.size < 2) return null
  const first = Object.entries(FIRST).filter(([, page]) => has(pages, page))
  if (first.length > 0) return pages.size >= COMMON ? 'common' : first.map(([name]) => name).join('-')
  return has(pages, EDITOR) ? 'editors' : null
}

/** Components of the library that are shown only after the user opens something. */
const CHOICES =
  /@mantine\/core\/.*\/(?:Combobox\/(?!get-parsed)|Select\/|MultiSelect\/|TagsInput\/|Pill\/|PillsInput\/)/
const DIALOGS = /@mantine\/core\/.*\/(?:Modal|ModalBase|Drawer)\//

/** Form code is in the first load only of pages with a form that is open from the start. */
const FORMS = /@mantine\/form|klona|fast-deep-equal|\/dashboard\/shared\/form\//

const isOurs = /\/(?:dashboard|contract)\//

// With imports included, a module could be in a file that fewer pages need, and files could import each other in a
// circle.
const WITHOUT_IMPORTS = { includeDependenciesRecursively: false }

/** The modules of every page are in the first file. Icons and components that pages share are in one file each. */
export const CHUNKS = [
  { name: 'start', tags: ['$initial' as const], priority: 1 },
  { name: 'icons', test: /lucide-react/, minShareCount: 2, ...WITHOUT_IMPORTS },
  { name: 'choices', test: CHOICES, minShareCount: 2, ...WITHOUT_IMPORTS },
  { name: 'dialogs', test: DIALOGS, minShareCount: 2, ...WITHOUT_IMPORTS },
  { name: 'forms', test: FORMS, minShareCount: 2, ...WITHOUT_IMPORTS },
  { name: 'library', test: /node_modules/, minShareCount: 12, ...WITHOUT_IMPORTS },
  { name: fileOf, debugName: 'pages', test: isOurs, ...WITHOUT_IMPORTS },
]
