// The accepted forms of each type with their canonical form, and the error codes of rejected values.
import { describe, expect, test } from 'vitest'
import { ATTRIBUTE_TYPES, type AttributeType } from '../../../contract/attribute-types.ts'
import { parseJson } from '../../base/json.ts'
import { accept, attribute, bySlug, check, codesOf, ID, locale } from './one-attribute.fixture.ts'
import { checkData } from './values.ts'

const raw = (literal: string) => JSON.rawJSON(literal)
const nines = '9'.repeat(30)

describe('canonical form', () => {
  const same = (type: AttributeType, ...values: unknown[]) =>
    values.map((value) => [type, value, value] as const)
  test.each<readonly [AttributeType, unknown, unknown]>([
    ...same('text', 'Acme', ' ', ' a\n', '🙂', '\u0001', 'x'.repeat(100_000)),
    ['text', ' cafe\u0301 ', ' café '],
    ['text', '\u212b', 'Å'],
    ...same(
      'email',
      'Ada@example.com',
      "o'hara+tag@sub.example.co.uk",
      'jörg@bücher.example',
      `${'a'.repeat(64)}@b.co`,
    ),
    ...same('number', 12.5, 0, -1, 1e21, 1e-7, Number.MAX_SAFE_INTEGER, 0.30000000000000004),
    ['email', '\ufeff ada@example.com\u00a0\n', 'ada@example.com'],
    ['email', 'jo\u0308rg@example.com', 'jörg@example.com'],
    ['number', '12.5', 12.5],
    ['number', ' 1\u202f', 1],
    ['number', '-0012.50', -12.5],
    ['number', -0, 0],
    ['number', '-0.00', 0],
    ['number', raw('15e-1'), 1.5],
    ['number', nines, raw(nines)],
    ['number', raw(`-${nines}`), raw(`-${nines}`)],
    ['number', `${'9'.repeat(15)}.${'9'.repeat(15)}`, raw(`${'9'.repeat(15)}.${'9'.repeat(15)}`)],
    ['number', raw('12345678901234567890.50'), raw('12345678901234567890.5')],
    ['number', `0.${'0'.repeat(29)}1`, 1e-30],
    ['number', raw('1e29'), 1e29],
    ...same(
      'phone_number',
      '+1 555 867 5309',
      '555-867-5309',
      '+49 30 123456 ext. 12',
      '+1 310-1234',
      '(415) 555-0123',
    ),
    ['phone_number', ' +44 20 7946 0958\u202c', '+44 20 7946 0958'],
    ...same('checkbox', true, false),
    ['checkbox', 'true', true],
    ['checkbox', 'false', false],
    ['checkbox', ' true', true],
    ...same(
      'name',
      { firstName: 'Ada', lastName: 'Lovelace' },
      { firstName: 'Plato' },
      { lastName: 'Lovelace' },
    ),
    ['name', { firstName: '', lastName: 'Lovelace' }, { lastName: 'Lovelace' }],
    ['name', { firstName: 'Ada', lastName: null }, { firstName: 'Ada' }],
    ['name', 'Ada King Lovelace', { firstName: 'Ada King', lastName: 'Lovelace' }],
    ['name', 'Plato', { firstName: 'Plato' }],
    ['name', 'Ada Lovelace ', { firstName: 'Ada', lastName: 'Lovelace' }],
    ['name', ' Ada  King\n Lovelace ', { firstName: 'Ada King', lastName: 'Lovelace' }],
    ['name', { firstName: ' Ada  King ', lastName: '\t' }, { firstName: 'Ada King' }],
    ['name', ' Plato ', { firstName: 'Plato' }],
    ['name', 'Lovelace, Ada', { firstName: 'Ada', lastName: 'Lovelace' }],
    ['name', ' van  Dyke ,Jan  Pieter ', { firstName: 'Jan Pieter', lastName: 'van Dyke' }],
    ['name', 'Lovelace,', { firstName: 'Lovelace,' }],
    ['name', ', Ada King', { firstName: ', Ada', lastName: 'King' }],
    ['name', 'King, Ada, Jr.', { firstName: 'King, Ada,', lastName: 'Jr.' }],
    ['name', { firstName: 'Lovelace, Ada' }, { firstName: 'Lovelace, Ada' }],
    ...same('address', { line1: '1 St James', city: 'London', country: 'GB' }),
    ['address', { line1: ' 1 St James\u200b', state: ' ' }, { line1: '1 St James' }],
    ['address', { country: 'gb', line2: '', city: null }, { country: 'GB' }],
    ['address', '1 St James, London', { line1: '1 St James, London' }],
    ['address', { country: 'GBR' }, { country: 'GB' }],
    ['address', { country: 'Deutschland' }, { country: 'DE' }],
    ...same('currency', { amount: 1200.5, currency: 'USD' }, { amount: raw(nines), currency: 'JPY' }),
    ['currency', 12, { amount: 12, currency: 'EUR' }],
    ['currency', '0.12340', { amount: 0.1234, currency: 'EUR' }],
    ['currency', { amount: '-1.5', currency: 'usd' }, { amount: -1.5, currency: 'USD' }],
    ['currency', raw('12345678901234567.8901'), { amount: raw('12345678901234567.8901'), currency: 'EUR' }],
    ...same('date', '2026-11-20', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'),
    ['date', '2026-11-20T23:30:00-02:00', '2026-11-21'],
    ['date', '2026-11-20T00:30:00.123456789+01:00', '2026-11-19'],
    ['date', '2026-11-20t10:00:00z', '2026-11-20'],
    ['date', '2026-11-20\n', '2026-11-20'],
    ['date', '2016-12-31T23:59:60Z', '2016-12-31'],
    ['date', '2026-01-01T00:00:00+00:01', '2025-12-31'],
    ['date', '0050-03-01T00:00:00+01:00', '0050-02-28'],
    ...same('url', 'https://example.com', 'http://intranet/wiki?page=2#top', 'https://[2001:db8::1]:8443/a'),
    ['url', 'Example.com', 'https://example.com'],
    ['url', ' a.com\u200e', 'https://a.com'],
    ['url', 'HTTPS://Example.COM/', 'https://example.com'],
    ['url', '192.0.2.7/status', 'https://192.0.2.7/status'],
    ['url', 'example.com:8080/Path', 'https://example.com:8080/Path'],
    ['url', 'https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
    ...same('select', 'Qualified', 'constructor'),
    ['select', ' Lead\u200b', 'Lead'],
    ...same('list', ['vip', 'eu'], [], ['x y', 'x'.repeat(1000)]),
    ['list', [' vip', 'vip\u200b', 'cafe\u0301', 'café'], ['vip', 'café']],
    ['list', 'vip', ['vip']],
    ['list', ['b', 'a', 'b'], ['b', 'a']],
    ['reference', ID.toUpperCase(), ID],
    ['member', ` ${ID.toUpperCase()} `, ID],
    ['reference', `${ID} `, ID],
    ...same(
      'domain',
      'acme.com',
      'https://www.Acme.com/about?a=1#b',
      'WWW.ACME.com',
      'acme.com:8080',
      'a.b.c',
    ),
    ...same('domain', '//acme.com', 'ftp://acme.com.', 'bücher.example', 'xn--bcher-kva.example', '3m.com'),
    ...same('domain', `${'a'.repeat(63)}.com`, `${'a'.repeat(61)}.`.repeat(4).slice(0, -1), '例え.テスト'),
    ['domain', ' acme.com/\u200b', 'acme.com/'],
    ['domain', 'bu\u0308cher.example', 'bücher.example'],
  ])('of %s %j is %j', (type, value, canonical) => {
    const { set, cleared } = accept(check(type, value))
    expect(JSON.stringify(set['v'])).toBe(JSON.stringify(canonical))
    expect(cleared).toEqual([])
  })

  test('keeps all digits that were sent', () => {
    const data = parseJson(`{"v":{"amount":123456789012345678901234.5678,"currency":"USD"}}`)
    const { set } = accept(checkData('create', data, bySlug(attribute('currency')), locale))
    expect(JSON.stringify(set)).toBe('{"v":{"amount":123456789012345678901234.5678,"currency":"USD"}}')
  })
})

describe('refusals', () => {
  const each = (type: AttributeType, code: string, ...values: unknown[]) =>
    values.map((value) => [type, code, value] as const)
  test.each<readonly [AttributeType, string, unknown]>([
    ...ATTRIBUTE_TYPES.flatMap((type) => each(type, 'invalid_type', undefined)),
    ...ATTRIBUTE_TYPES.filter((type) => type !== 'list').flatMap((type) =>
      each(type, 'invalid_type', [], ['x']),
    ),
    ...ATTRIBUTE_TYPES.filter((type) => type !== 'checkbox').flatMap((type) =>
      each(type, 'invalid_type', true),
    ),
    ...each('text', 'invalid_type', 1, {}, raw('1e400')),
    ...each('text', 'invalid_text', 'a\u0000', '\ud800', 'a\udc00b'),
    ...each('url', 'invalid_url', 'example', 'https://', 'ftp://example.com', 'javascript:alert(1)'),
    ...each(
      'url',
      'invalid_url',
      'mailto:ada@example.com',
      'https://ada:secret@example.com',
      'https://a.com/b c',
    ),
    ...each('url', 'invalid_url', `https://a.com/${'x'.repeat(2040)}`, `https://a.com/${'ü'.repeat(400)}`),
    ...each('url', 'invalid_url', '5', '2024', '3.5', '0301234567', '0x7f.1'),
    ...each(
      'email',
      'invalid_email',
      'ada',
      'ada@localhost',
      '@example.com',
      'ada@',
      'a@b@c.com',
      'a b@c.com',
    ),
    ...each(
      'email',
      'invalid_email',
      'a@b..com',
      'a@.com',
      'a@b.com.',
      'a@-b.com',
      'a@b-.com',
      'a@b.com-',
      'a\u00a0@b.com',
    ),
    ...each('email', 'invalid_email', '<a@b.com>', 'a,b@c.com', 'a\u200b@b.com'),
    ...each(
      'email',
      'invalid_email',
      `${'a'.repeat(65)}@b.co`,
      `a@${'b'.repeat(250)}.co`,
      `a@${'b-.'.repeat(80)}c`,
    ),
    ...each('email', 'invalid_text', 'a\u0000@b.com', '\ud800@b.com'),
    ...each(
      'number',
      'invalid_number',
      '1e5',
      '1,5',
      '1 0',
      '+1',
      '.5',
      '5.',
      '0x10',
      'NaN',
      'Infinity',
      '१',
    ),
    ...each(
      'number',
      'invalid_number',
      Number.NaN,
      Number.POSITIVE_INFINITY,
      raw('1e400'),
      raw('-1e-400'),
      1e30,
      1e-31,
    ),
    ...each(
      'number',
      'invalid_number',
      `9${nines}`,
      `${nines}.1`,
      raw('1e999999999999999999999'),
      '1'.repeat(100_000),
    ),
    ...each('number', 'invalid_type', {}),
    ...each(
      'phone_number',
      'invalid_phone_number',
      '123',
      'call me',
      '867-5309',
      '+1 555 867 5309 now',
      '+999 12345678',
    ),
    ...each(
      'phone_number',
      'invalid_phone_number',
      '+15558675309999',
      '+',
      '1'.repeat(300),
      '+1 555\n867 5309',
    ),
    ...each('phone_number', 'invalid_text', '+1 555 867 5309\u0000'),
    ...each('phone_number', 'invalid_type', 15558675309),
    ...each('checkbox', 'invalid_checkbox', 'TRUE', 'yes', '1'),
    ...each('checkbox', 'invalid_type', 1, 0, {}),
    ...each('name', 'invalid_name', {}, { firstName: '' }, { firstName: 'A', middle: 'B' }, { firstName: 1 }),
    ...each('name', 'invalid_name', { firstName: ['A'] }, JSON.parse('{"firstName":"A","__proto__":"B"}')),
    ...each('name', 'invalid_name', { firstName: 'A', 'x\u0000': 'B' }, { firstName: raw('1e400') }),
    ...each('name', 'invalid_text', { firstName: 'A\u0000' }, 'Ada \ud800'),
    ...each('name', 'invalid_type', 1, raw('1e400')),
    ...each(
      'address',
      'invalid_address',
      {},
      { line1: null },
      { street: 'x' },
      { country: 'XXX' },
      { country: 'ZZ' },
    ),
    ...each('address', 'invalid_address', { country: 'ß' }, { country: 'ıt' }, { city: { a: 1 } }),
    ...each('address', 'invalid_text', { city: '\udfff' }, 'x\u0000'),
    ...each(
      'currency',
      'invalid_currency',
      0.00001,
      '1.23456',
      'ten',
      {},
      { amount: 1 },
      { currency: 'USD' },
    ),
    ...each('currency', 'invalid_currency', { amount: 1, currency: 'XYZ' }, { amount: 1, currency: 'Uſd' }),
    ...each(
      'currency',
      'invalid_currency',
      { amount: null, currency: 'USD' },
      { amount: 1, currency: 'USD', x: 1 },
    ),
    ...each(
      'currency',
      'invalid_currency',
      { amount: [1], currency: 'USD' },
      { amount: 1, currency: 1 },
      1e30,
    ),
    ...each(
      'currency',
      'invalid_currency',
      { amount: 'NaN', currency: 'USD' },
      { amount: Number.NaN, currency: 'USD' },
    ),
    ...each(
      'date',
      'invalid_date',
      '2026-02-29',
      '1900-02-29',
      '2026-13-01',
      '2026-00-01',
      '2026-01-00',
      '0000-01-01',
    ),
    ...each(
      'date',
      'invalid_date',
      '2026-1-1',
      '20-11-2026',
      '2026-11-20T10:00:00',
      '2026-11-20T24:00:00Z',
      'today',
    ),
    ...each('date', 'invalid_date', '2026-02-30T00:00:00Z', '2026-11-20T10:00:00+24:00', '+02026-11-20'),
    ...each(
      'date',
      'invalid_date',
      '0001-01-01T00:00:00+00:01',
      '9999-12-31T23:59:00-00:01',
      '2026-11-20T10:60:00Z',
    ),
    ...each('date', 'invalid_type', 20261120, {}),
    ...each('select', 'unknown_option', 'lead', '__proto__'),
    ...each('select', 'invalid_text', 'Lead\u0000'),
    ...each('member', 'invalid_reference', 'x', 'me', ''.padEnd(200, 'x')),
    ...each(
      'domain',
      'invalid_domain',
      'n/a',
      'acme',
      'localhost',
      'not a domain',
      'acme.com, globex.com',
      '@',
    ),
    ...each('domain', 'invalid_domain', 'ada@acme.com', 'mailto:ada@acme.com', 'https://ada:secret@acme.com'),
    ...each('domain', 'invalid_domain', '192.0.2.7', 'http://192.0.2.7/a', '0x7f.1', '[2001:db8::1]', '1.5'),
    ...each('domain', 'invalid_domain', 'acme..com', '-acme.com', 'acme!.com', 'acme%2ecom', '.com'),
    ...each('domain', 'invalid_domain', `${'a'.repeat(64)}.com`, `${`${'a'.repeat(62)}.`.repeat(4)}abc`),
    ...each('domain', 'invalid_domain', 'https://', 'www.', `acme.com/${'a'.repeat(2040)}`, 'acme.com\\a'),
    ...each('domain', 'invalid_text', 'acme.com\u0000'),
    ...each('reference', 'invalid_reference', 'x', `{${ID}}`, ID.replaceAll('-', '')),
  ])('%s returns %s for %j', (type, code, value) => {
    // If only a part of a value is refused, its name is at the end of the path.
    expect(codesOf(check(type, value)).map((one) => one.replace(/^data\.v\.\w+/, 'data.v'))).toEqual([
      `data.v ${code}`,
    ])
  })

  test.each<[AttributeType, unknown, string]>([
    ['email', 'a\u200b@b.com', 'U+200B'],
    ['email', 'a\u00a0@b.com', 'U+00A0'],
    ['phone_number', '+1 555\n867 5309', 'U+000A'],
    ['url', 'https://a.com/\u2060x', 'U+2060'],
    ['number', '1\u202f000', 'U+202F'],
    ['select', 'Le\u00adad', 'U+00AD'],
    ['domain', 'ac\u200bme.com', 'U+200B'],
  ])('%s %j: the refusal names the invisible character', (type, value, character) => {
    const result = check(type, value)
    expect('problems' in result && result.problems[0]?.message).toContain(
      `The text contains ${character}: leave this character out`,
    )
  })

  test.each<[AttributeType, unknown, string, RegExp]>([
    ['address', { city: 'Bern', country: 'XX' }, 'data.v.country', /code of a country .* such as "GB"/],
    ['address', { city: 1 }, 'data.v.city', /^must be text$/],
    ['address', { town: 'Bern' }, 'data.v', /^has no part "town": use line1, /],
    ['address', { City: 'Bern' }, 'data.v', /^has no part "City": did you mean "city"\?$/],
    ['name', { first: 'Ada' }, 'data.v', /^has no part "first": use firstName, lastName$/],
    ['name', { first_name: 'Ada' }, 'data.v', /did you mean "firstName"\?$/],
    ['currency', { amount: 'x', currency: 'USD' }, 'data.v.amount', /^must be a number with at most 4/],
    ['currency', { amount: 1, currency: 'Dollar' }, 'data.v.currency', /ISO 4217 code, such as "USD"$/],
    ['currency', { amount: 1, curency: 'USD' }, 'data.v', /did you mean "currency"\?$/],
  ])('%s %j: the refusal names the part at fault', (type, value, path, message) => {
    expect(check(type, value)).toMatchObject({
      problems: [{ path, code: expect.any(String), message: expect.stringMatching(message) }],
    })
  })

  test('the refusal of an unknown option lists the options or names the nearest one', () => {
    expect(check('select', 'x')).toMatchObject({
      problems: [
        {
          path: 'data.v',
          code: 'unknown_option',
          message:
            'must be one of the options "Lead", "Qualified", "Won", "Lost", "A", "B", "C", "D", "E", "F", "G", "constructor"',
        },
      ],
    })
    expect(check('select', 'won')).toMatchObject({
      problems: [{ message: expect.stringMatching(/: did you mean "Won"\?$/) }],
    })
    const many = { options: Array.from({ length: 50 }, (_, index) => `Option ${index}`) }
    expect(check('select', 'x', { config: many })).toMatchObject({
      problems: [{ message: expect.stringMatching(/"Option 29" and 20 more$/) }],
    })
    expect(codesOf(check('select', 'x', { config: null }))).toEqual(['data.v unknown_option'])
  })
})
