// The packages of each peer, pinned so that two runs compare the same programs.

export type PeerName = 'directus' | 'nocodb' | 'strapi'

export interface Packages {
  /** Name in the table of results. */
  title: string
  dependencies: Record<string, string>
  /** Replacements of indirect dependencies. */
  overrides?: Record<string, string>
}

/** Replaces a package that is loaded but never used: all peers work on PostgreSQL. */
export const UNUSED = 'file:./unused'

export const VERSIONS: Readonly<Record<PeerName, Packages>> = {
  directus: {
    title: 'Directus 12.4.0',
    dependencies: { directus: '12.4.0' },
    // The requested version has no binary for Node 24. Only sandboxed extensions use it.
    overrides: { 'isolated-vm': '7.0.1' },
  },
  nocodb: {
    title: 'NocoDB 0.301.3',
    dependencies: { nocodb: '0.301.3' },
    // xlsx comes from outside the registry, sqlite3 has to be compiled; neither is used here.
    overrides: { xlsx: '0.18.5', sqlite3: UNUSED },
  },
  strapi: {
    title: 'Strapi 5.54.0',
    dependencies: { '@strapi/strapi': '5.54.0', pg: '8.16.3' },
  },
}
