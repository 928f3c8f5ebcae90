import { expect, test } from 'vitest'
import { verdictOf } from './audit-verdict.ts'

const found = (severity: string) =>
  JSON.stringify({
    vulnerabilities: { 'left-pad': { severity, range: '<1.3.0', fixAvailable: true } },
  })

test.each([
  ['{"vulnerabilities":{}}', true, 'no known vulnerability'],
  [found('moderate'), true, 'moderate: left-pad <1.3.0, a fix is available'],
  [found('high'), false, 'high: left-pad <1.3.0, a fix is available'],
  [found('critical'), false, 'critical: left-pad <1.3.0, a fix is available'],
  [
    '{"message":"405 Method Not Allowed","statusCode":405}',
    true,
    'the registry does not answer for advisories: 405 Method Not Allowed',
  ],
  ['', true, 'the registry does not answer for advisories: no answer'],
  ['<html>', true, 'the registry does not answer for advisories: no answer'],
])('the verdict of %j is clean: %j', (output, isClean, line) => {
  expect(verdictOf(output)).toEqual({ lines: [line], isClean })
})
