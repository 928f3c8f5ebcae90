import { expect, test } from 'vitest'
import { cellAddresses } from './cell-addresses.ts'
import { ConfigError } from './environment.ts'

test('reads names and addresses, separated by any white space', () => {
  expect(cellAddresses(' eu=postgres://a:b@h,i/d?x=1\n us-1=postgresql://h/d ')).toEqual([
    { name: 'eu', databaseUrl: 'postgres://a:b@h,i/d?x=1' },
    { name: 'us-1', databaseUrl: 'postgresql://h/d' },
  ])
  expect([cellAddresses(), cellAddresses('  ')]).toEqual([[], []])
})

test.each([
  ['eu', 'eu'],
  ['postgres://user:secret@host/db', 'postgres://user:secret@host/db'],
  ['Eu=postgres://user:secret@host/db', 'Eu'],
  ['eu=https://user:secret@host/db', 'eu'],
  ['eu=postgres://h/d eu=postgres://i/d', 'eu'],
])('rejects %s without showing its password', (text, named) => {
  const read = () => cellAddresses(text)
  expect(read).toThrow(ConfigError)
  try {
    read()
  } catch (error) {
    expect((error as Error).message).not.toContain('secret')
    if (!named.includes('secret')) expect((error as Error).message).toContain(named)
  }
})
