import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { newId } from '../id.ts'
export async function seedStandardObjects(tx: Db, org: number): Promise<void> {
  const objs: Record<string, number> = {}
  const ids: Record<string, string> = {}
  const defs: Record<string, [string, string, boolean, boolean, unknown?, string?][]> = {
    companies: [
      ['name', 'text', true, false],
      ['domain', 'text', false, true],
      ['industry', 'select', false, false, { options: ['Tech', 'Finance', 'Health'] }],
      ['employees', 'number', false, false],
      ['address', 'address', false, false],
    ],
    people: [
      ['name', 'name', true, false],
      ['email', 'email', false, true],
      ['phone', 'phone_number', false, false],
      ['job_title', 'text', false, false],
      ['company', 'reference', false, false, undefined, 'companies'],
    ],
    deals: [
      ['name', 'text', true, false],
      ['amount', 'currency', false, false],
      ['stage', 'select', false, false, { options: ['Lead', 'Qualified', 'Proposal', 'Won', 'Lost'] }],
      ['close_date', 'date', false, false],
      ['company', 'reference', false, false, undefined, 'companies'],
      ['contact', 'reference', false, false, undefined, 'people'],
    ],
  }
  for (const [slug, attrs] of Object.entries(defs)) {
    ids[slug] = newId()
    const { obj } = await tx.one<{ obj: number }>(
      sql`insert into objects (org,id,type,plural_name,singular_name,description,slug) values (${org},${ids[slug]},'standard',${slug},${slug},'',${slug}) returning obj`,
    )
    objs[slug] = obj
    for (const [i, [s, t, req, uniq, config, target]] of attrs.entries())
      await tx.run(
        sql`insert into attributes (org,obj,id,name,slug,type,is_required,is_unique,is_list,is_standard,display_order,config,target_obj) values (${org},${obj},${newId()},${s},${s},${t},${req},${uniq},false,true,${i},${JSON.stringify(target ? { allowed_object_id: ids[target] } : (config ?? null))},${target ? objs[target] : null})`,
      )
  }
}
