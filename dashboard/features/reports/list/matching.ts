import type { Report } from '../api/reports.ts'

type Searched = Pick<Report, 'name' | 'description' | 'creator'>

/** Reports with every word of the text in their name, description or the name of their creator. */
export function matching<One extends Searched>(reports: readonly One[], text: string): readonly One[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return reports
  return reports.filter(({ name, description, creator }) => {
    const said = `${name} ${description} ${creator.name}`.toLocaleLowerCase()
    return words.every((word) => said.includes(word))
  })
}
