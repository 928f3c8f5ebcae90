// The build of the dashboard (server/pages/build.ts), and its dev server (server/entry/dev/main.ts).
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { CHUNKS } from './chunks.ts'
import { writeStarts } from './starts.ts'

const COMPRESSED = /\.(?:js|css|svg)$/
// 6 % smaller than quality 9. Quality 11 takes twice the time for 1 % more.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }

/**
 * Writes compressed copies of each file in the same folder, so that serving needs no processor time for compression.
 */
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
  // The server replaces it with a new nonce in every page.
  html: { cspNonce: '__NONCE__' },
  build: {
    target: 'es2023',
    // The first versions with light-dark(). The code for older versions would need the scheme's name at each use.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
})
