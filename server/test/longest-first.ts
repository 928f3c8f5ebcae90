// The order of test files: long ones start first, so that the run does not end with one long file.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONGEST = [
  /\/server\/test\/route-matrix/,
  /\.(kills|ledgers|faults)\.verify\.ts$/,
  /\.(cells|processes)\.verify\.ts$/,
  /\/dashboard\/e2e\//,
  /\/server\/(records\/engine|attribute-changes|identity)\//,
]

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
