// How the dashboard is built (server/pages/build.ts) and served while it is changed (server/entry/dev/main.ts).
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { CHUNKS } from './chunks.ts'
import { writeStarts } from './starts.ts'

const COMPRESSED = /\.(?:js|css|svg)$/
// 6 % smaller than 9. The next one takes twice the time for 1 % more.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }

/** Writes each file also compressed, in the same folder, so that serving it costs no processor time. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const files = Object.values(bundle).filter(({ fileName }) => COMPRESSED.test(fileName))
      await Promise.all(
        files.map(async (file) => {
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source)
          const path = join(dir, file.fileName)
          await writeFile(`${path}.br`, await promisify(brotliCompress)(source, BROTLI))
          await writeFile(`${path}.gz`, await promisify(gzip)(source))
        }),
      )
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), precompress(), writeStarts()],
  // The server puts a new one into every page it sends.
  html: { cspNonce: '__NONCE__' },
  build: {
    target: 'es2023',
    // The first that know light-dark(): rewritten for older ones, it would need the scheme named at each use.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
})
