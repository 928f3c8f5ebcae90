// The order of test files: what takes minutes begins at once, so that nothing is left to wait for alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONGEST = [/\/server\/test\/ledger\.test\.ts$/, /\/dashboard\/e2e\//, /\/cli\//]

const rankOf = ({ moduleId }: TestSpecification) => {
  const rank = LONGEST.findIndex((pattern) => pattern.test(moduleId))
  return rank === -1 ? LONGEST.length : rank
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => rankOf(a) - rankOf(b))
  }
}
