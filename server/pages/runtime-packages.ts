// The packages that a service with built pages needs. `npm ci --omit=dev` installs more: packages that build the pages,
// and test tools that are optional peers of a server package.

/** Packages of package.json that only the dashboard's pages need; the built pages contain them. */
export const PAGE_PACKAGES: readonly string[] = [
  '@dnd-kit/core',
  '@mantine/core',
  '@mantine/form',
  '@mantine/hooks',
  '@mantine/notifications',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-virtual',
  '@vitejs/plugin-react',
  '@xyflow/react',
  'lucide-react',
  'react',
  'react-dom',
  'react-grid-layout',
  'recharts',
  'vite',
]

type Versions = Readonly<Record<string, string>>

interface Needs {
  dependencies?: Versions
  optionalDependencies?: Versions
}

interface Package extends Needs {
  peerDependencies?: Versions
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>
}

/** package.json */
export interface PackageManifest extends Needs {
  name?: string
  devDependencies?: Versions
}

/** package-lock.json, with each package by its folder. */
export interface Lock {
  packages: Readonly<Record<string, Package>>
}

function needsOf({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Package) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional)
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
}

/** Finds a package as Node does: in the nearest node_modules first. */
function folderOf({ packages }: Lock, from: string, name: string): string | undefined {
  const folder = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (packages[folder]) return folder
  if (from === '') return undefined
  return folderOf({ packages }, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name)
}

/** The two files from which `npm ci` installs the packages that the service needs, in the versions of `lock`. */
export function runtimeFiles(
  manifest: PackageManifest,
  lock: Lock,
): { manifest: PackageManifest; lock: Lock } {
  const { devDependencies: _, ...own } = manifest
  const kept = Object.entries(own.dependencies ?? {}).filter(([name]) => !PAGE_PACKAGES.includes(name))
  const runtime = { ...own, dependencies: Object.fromEntries(kept) }
  const folders = new Set([''])
  for (const from of folders) {
    const one = from === '' ? runtime : lock.packages[from]
    for (const name of needsOf(one ?? {})) {
      const folder = folderOf(lock, from, name)
      if (folder !== undefined) folders.add(folder)
    }
  }
  const packages = Object.entries(lock.packages).filter(([folder]) => folder !== '' && folders.has(folder))
  const { devDependencies: _tools, ...root } = (lock.packages[''] ?? {}) as PackageManifest
  const first = { ...root, dependencies: runtime.dependencies }
  return { manifest: runtime, lock: { ...lock, packages: { '': first, ...Object.fromEntries(packages) } } }
}
