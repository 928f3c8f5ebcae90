import { expect, test } from 'vitest'
import { isClosedStage } from './standard-objects.ts'

test.each([
  ['Won', {}, true],
  ['Lost', {}, true],
  ['Proposal', {}, false],
  ['Closed won', { aliases: { Won: 'Closed won' } }, true],
  ['Lead', { aliases: { Lost: 'Lead' } }, false],
  ['Closed won', { aliases: { Deal: 'Closed won' } }, false],
] as const)('isClosedStage of stage %s with config %o', (stage, config, isClosed) => {
  expect(isClosedStage(config, stage)).toBe(isClosed)
})
