// Tests the workflow without storing or sending anything.
import { useState } from 'react'
import { useOrg } from '../../../shared/use-organization.ts'
import { useSubmit } from '../../../shared/use-submit.ts'
import { dryRun } from '../api/workflows.ts'
import { outputsOf, type TestResult, testResult } from './test-results.ts'
import type { Definition } from './use-definition.ts'

/** The input of a test. Without a record, the newest one is used. */
export interface TestSubject {
  recordId: string | null
  data: Record<string, unknown> | undefined
}

export interface Testing {
  subject: TestSubject
  setSubject(subject: TestSubject): void
  /** @param untilKey key of the last step to run @param subject replaces the chosen subject */
  run(untilKey?: string, subject?: TestSubject): Promise<boolean>
  isBusy: boolean
  error: unknown
  result: TestResult | undefined
  /** Whether the definition is unchanged since the test. */
  isFresh: boolean
  /** Outputs of all tests by key of step. */
  outputs: Readonly<Record<string, unknown>>
  forget(): void
}

export function useTesting({ definition }: Pick<Definition, 'definition'>, workflowId?: string): Testing {
  const org = useOrg()
  const [subject, setSubject] = useState<TestSubject>({ recordId: null, data: undefined })
  const [result, setResult] = useState<TestResult>()
  const [outputs, setOutputs] = useState<Record<string, unknown>>({})
  const { submit, isBusy, error } = useSubmit(
    async ({ untilKey, on }: { untilKey: string | undefined; on: TestSubject }) => {
      const answer = await dryRun(org, {
        definition,
        ...(workflowId !== undefined && { workflowId }),
        ...(on.recordId !== null && { recordId: on.recordId }),
        ...(on.data && { data: on.data }),
        ...(untilKey !== undefined && { untilKey }),
      })
      const found = testResult(definition, answer)
      setResult(found)
      setOutputs((before) => ({ ...before, ...outputsOf(found) }))
    },
  )
  return {
    subject,
    setSubject,
    run: (untilKey, on = subject) => submit({ untilKey, on }),
    isBusy,
    error,
    result,
    isFresh: result?.definition === definition,
    outputs,
    forget: () => setResult(undefined),
  }
}
