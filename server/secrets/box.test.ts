import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config/config.ts'
import { anyText } from '../test/any-text.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { createSecretBox, openSecretBox, UnreadableSecret } from './box.ts'

const [older, newer] = [randomBytes(32), randomBytes(32)]
const box = createSecretBox([newer])
const someText = anyText(100)

describe('a sealed text', () => {
  test('opens with the context it was sealed with', () => {
    fc.assert(
      fc.property(someText, someText, (text, about) => {
        expect(box.open(box.seal(text, about), about)).toBe(text)
      }),
    )
  })

  test('is different each time, and does not contain the text', () => {
    const [one, two] = [box.seal('whsec_secret', 'a'), box.seal('whsec_secret', 'a')]
    expect(one).not.toEqual(two)
    expect(one.includes('whsec')).toBe(false)
  })

  test('is rejected with another context', () => {
    fc.assert(
      fc.property(someText, someText, someText, (text, about, other) => {
        fc.pre(about !== other)
        expect(() => box.open(box.seal(text, about), other)).toThrow(UnreadableSecret)
      }),
    )
  })

  test('is rejected with any bit flipped', () => {
    fc.assert(
      fc.property(someText, fc.nat(), (text, at) => {
        const sealed = box.seal(text, 'about')
        const bit = at % (sealed.length * 8)
        const byte = Math.floor(bit / 8)
        sealed[byte] = (sealed[byte] ?? 0) ^ (1 << (bit % 8))
        expect(() => box.open(sealed, 'about')).toThrow(UnreadableSecret)
      }),
    )
  })

  test('is rejected when it is shortened, and so are other bytes', () => {
    const sealed = box.seal('text', 'about')
    for (let length = 0; length < sealed.length; length++)
      expect(() => box.open(sealed.subarray(0, length), 'about')).toThrow(UnreadableSecret)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => box.open(Buffer.from(bytes), 'about')).toThrow(UnreadableSecret)
      }),
    )
  })

  test('that was sealed under an older key opens while that key is configured', () => {
    const sealed = createSecretBox([older]).seal('text', 'about')
    const rotated = createSecretBox([newer, older])
    expect(rotated.open(sealed, 'about')).toBe('text')
    expect(box.open(rotated.seal('text', 'about'), 'about')).toBe('text')
    expect(() => box.open(sealed, 'about')).toThrow('with a key that is not available')
  })
})

const folder = await temporaryFolder('box')

describe('the key', () => {
  const config = (env: Record<string, string>) => readConfig({ DATA_DIR: join(folder, 'data'), ...env })
  const base64 = (key: Buffer) => key.toString('base64')

  test('is created at the first use, readable only by its owner, and is kept', async () => {
    const { dataDir } = config({})
    const first = openSecretBox(config({}))
    await expect(stat(dataDir)).rejects.toThrow()
    const sealed = first.seal('text', 'about')
    expect(openSecretBox(config({})).open(sealed, 'about')).toBe('text')
    expect(await readdir(dataDir)).toEqual(['secrets-key'])
    expect((await stat(join(dataDir, 'secrets-key'))).mode & 0o777).toBe(0o600)
    const moved = config({ SECRETS_KEY: (await readFile(join(dataDir, 'secrets-key'), 'utf8')).trim() })
    expect(openSecretBox(moved).open(sealed, 'about')).toBe('text')
  })

  test('is the first one of SECRETS_KEY; texts sealed under the others still open', () => {
    const rotated = openSecretBox(config({ SECRETS_KEY: `${base64(newer)}, ${base64(older)}` }))
    expect(rotated.open(createSecretBox([older]).seal('text', 'about'), 'about')).toBe('text')
    expect(box.open(rotated.seal('text', 'about'), 'about')).toBe('text')
  })

  test.each(['hush', base64(randomBytes(31)), base64(randomBytes(33)), `${base64(newer)},`])(
    'is rejected when invalid, with an error that does not show it: %s',
    (text) => {
      const read = () => config({ SECRETS_KEY: text })
      expect(read).toThrow(ConfigError)
      expect(read).toThrow(/^SECRETS_KEY must be 32 random bytes in base64/)
      expect(read).not.toThrow(text)
    },
  )

  test('is not replaced when its file contains no key: sealing fails', async () => {
    const dataDir = await mkdtemp(join(folder, 'bad-'))
    await writeFile(join(dataDir, 'secrets-key'), 'hush\n')
    const broken = openSecretBox({ secretsKeys: undefined, dataDir })
    expect(() => broken.seal('text', 'about')).toThrow(/secrets-key contains no key/)
  })
})
