import { Input } from '@mantine/core'
import { useFormPlace } from './form-context.ts'
import { otherProblems, sentence } from './form-problems.ts'

/** Shows problems that no field shows. @param shown paths of the shown fields */
export function OtherProblems({ place, shown }: { place: string; shown: readonly string[] }) {
  const found = otherProblems(useFormPlace().context.problems, place, shown)
  return found.map(({ path, message }) => (
    <Input.Error key={`${path} ${message}`}>{sentence(message)}</Input.Error>
  ))
}
