// Calls of template functions, as inserted into a template with placeholder arguments.
import {
  type FunctionParameter,
  type FunctionText,
  WORKFLOW_FUNCTIONS,
  type WorkflowFunction,
} from '../../../../contract/workflow-functions.ts'

const ARGUMENTS: Readonly<Record<FunctionParameter['type'], string>> = {
  text: "','",
  number: '1',
  any: '1',
  path: "'data.name'",
  timeZone: "'UTC'",
}

const OWN: Partial<Record<WorkflowFunction, string>> = {
  default: "default '…'",
  date: "date 'D MMMM YYYY'",
  replace: "replace 'a' 'b'",
}

/** `addDays 1` */
export function callOf(name: WorkflowFunction): string {
  const parameters: readonly FunctionParameter[] = WORKFLOW_FUNCTIONS[name].parameters
  const asked = parameters.filter(({ isOptional }) => !isOptional).map(({ type }) => ARGUMENTS[type])
  return OWN[name] ?? [name, ...asked].join(' ')
}

export interface FunctionEntry {
  name: WorkflowFunction
  description: string
  example: string
}

const ENTRIES = (Object.entries(WORKFLOW_FUNCTIONS) as [WorkflowFunction, FunctionText][]).map(
  ([name, { group, description, example }]) => ({ name, group, description, example }),
)

/** Functions whose name or description contains every word of the text, by group. */
export function searchFunctions(text: string): Map<FunctionText['group'], FunctionEntry[]> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = ENTRIES.filter(({ name, description }) => {
    const all = `${name} ${description}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
  return Map.groupBy(found, ({ group }) => group)
}
