// Names and words for made-up people, companies and deals.
const words = (text: string): readonly string[] => text.trim().split(/\s+/)
const lines = (text: string): readonly string[] => text.trim().split(/\s*\n\s*/)

export const FIRST_NAMES = words(`
  Ada Alan Alice Amara Amir Ana Anders Anika Aya Beatriz Bo Boris Carla Carlos Chidi Chiara Clara Dario David
  Diego Dina Elena Eli Elif Emil Emma Erik Esther Eva Fatima Felix Fiona Frank Freya Gabriel Grace Hana Hannah
  Hiro Hugo Ida Igor Ines Ingrid Iris Ivan Jana Jasper Joana Johan Jonas José Julia Kai Karin Kenji Kwame Lara
  Lars Laura Leila Leo Lena Lin Liv Luca Lucia Magnus Maja Marco Maria Mateo Maya Mei Mia Mila Mina Mira Nadia
  Naomi Nia Nico Nils Nina Noah Nora Olga Oliver Omar Oscar Paula Pedro Petra Priya Rafael Ravi Rosa Ruth Sam
  Sara Selma Sofia Soren Tara Theo Tomas Uma Vera Victor Wanda Wei Xenia Yara Yuki Zara Zoe`)

export const LAST_NAMES = words(`
  Abara Adeyemi Alvarez Andersen Aoki Arslan Bakker Banerjee Becker Bergström Bianchi Blum Borg Brandt Brooks
  Campos Carter Castillo Chen Cohen Costa Cruz Dahl Das Delgado Diaz Dubois Dupont Eriksen Espinoza Farouk
  Fischer Flores Fontaine Forster Garcia Gill Gomez Gruber Gupta Haddad Hall Hansen Haruna Hayes Hoang Holm
  Horvat Hughes Ibrahim Ito Ivanova Jansen Jensen Johansson Kaplan Katz Kaya Keller Khan Kim Klein Kowalski
  Kumar Lang Larsen Lee Lehmann Lindqvist Lopez Lund Marino Martin Mbeki Mendes Meyer Moreau Moretti Müller
  Mwangi Nakamura Navarro Nguyen Nielsen Novak Nowak Okafor Olsen Ortega Osei Park Patel Pereira Petrov Popescu
  Ramos Rao Reyes Ricci Rivera Rossi Roux Saito Santos Sato Schmidt Silva Singh Sokolov Sousa Stein Suzuki
  Svensson Tanaka Torres Tran Turner Varga Vega Vogel Wagner Walker Weber Wood Yamada Yilmaz Young Zhang Ziegler`)

export const COMPANY_FIRST = words(`
  Acorn Amber Anvil Aspen Atlas Aurora Badger Basalt Beacon Birch Bluebird Boreal Bramble Brass Cedar Cinder
  Clover Cobalt Comet Copper Coral Cobble Crane Crescent Dapple Delta Drift Ember Falcon Fable Fennel Fern Finch
  Flint Foxglove Garnet Gannet Ginger Granite Grove Harbor Hazel Heather Heron Hollow Indigo Iris Ivory Jasper
  Juniper Kestrel Kite Lantern Larch Lark Linden Lumen Lynx Magpie Maple Marble Marlin Meadow Merlin Mica Mistral
  Moss Nectar Nimbus Oak Onyx Opal Orchard Osprey Otter Paper Pebble Pepper Pine Plover Poplar Quartz Quill Raven
  Reed Rowan Saffron Sage Sable Sequoia Sienna Slate Sparrow Spruce Sterling Stork Summit Tamarind Teal Thistle
  Thorn Tidal Topaz Umber Velvet Vesper Walnut Willow Wren Yarrow Zephyr`)

export const COMPANY_SECOND = words(`
  Analytics Bakery Biotech Books Bridge Brewing Capital Ceramics Chemicals Clinics Cloud Coatings Components
  Confectionery Consulting Dairy Design Devices Diagnostics Electric Energy Engines Fabrics Farms Films Foods
  Forge Foundry Freight Furniture Games Gardens Glass Group Hardware Health Homes Hotels Imaging Industries
  Insurance Instruments Interiors Labs Learning Legal Lighting Logistics Machines Marine Materials Media Metals
  Mills Mobility Motors Networks Optics Outdoor Packaging Partners Paper Pharma Plastics Press Printing Properties
  Rail Recycling Robotics Roofing Sciences Security Semiconductors Services Shipping Software Solar Sports Studios
  Supply Systems Telecom Textiles Timber Tools Toys Trading Transport Travel Turbines Ventures Water Wind Works`)

export const JOB_TITLES = lines(`
  Account Executive
  Accountant
  Buyer
  Chief Executive Officer
  Chief Financial Officer
  Chief Operating Officer
  Chief Technology Officer
  Customer Success Manager
  Data Analyst
  Designer
  Director of Operations
  Engineer
  Facilities Manager
  Finance Manager
  Founder
  Head of Marketing
  Head of People
  Head of Procurement
  Head of Sales
  Legal Counsel
  Marketing Manager
  Office Manager
  Operations Manager
  Plant Manager
  Product Manager
  Project Manager
  Purchasing Manager
  Quality Manager
  Research Scientist
  Sales Manager
  Supply Chain Manager
  Support Engineer
  Technician
  Vice President of Sales`)

export const PRODUCTS = lines(`
  Annual license
  Data migration
  Extended support
  Fleet licenses
  Onboarding package
  Pilot project
  Premium plan
  Renewal
  Second site
  Security review
  Starter plan
  Team training
  Upgrade
  Volume agreement`)

export const CITIES: readonly { city: string; state: string; postalCode: string }[] = lines(`
  Albany|NY|12207
  Austin|TX|78701
  Boise|ID|83702
  Boulder|CO|80302
  Burlington|VT|05401
  Charlotte|NC|28202
  Columbus|OH|43215
  Denver|CO|80202
  Des Moines|IA|50309
  Duluth|MN|55802
  Eugene|OR|97401
  Fargo|ND|58102
  Helena|MT|59601
  Lansing|MI|48933
  Lincoln|NE|68508
  Madison|WI|53703
  Mobile|AL|36602
  Olympia|WA|98501
  Portland|ME|04101
  Raleigh|NC|27601
  Reno|NV|89501
  Sacramento|CA|95814
  Salem|OR|97301
  Santa Fe|NM|87501
  Savannah|GA|31401
  Topeka|KS|66603
  Tucson|AZ|85701
  Wichita|KS|67202`).map((line) => {
  const [city = '', state = '', postalCode = ''] = line.split('|')
  return { city, state, postalCode }
})

export const STREETS = words(`
  Main First Second Third Park Oak Pine Maple Cedar Elm Lake Hill Mill River Church Market School Bridge Spring
  Orchard Harbor Station Garden Forest Meadow Willow Chestnut Union Prospect Summit`)

export const TAGS = words(`
  vip partner newsletter event-2025 event-2026 inbound outbound referral reseller priority europe americas asia
  renewal trial press investor supplier alumni beta`)

export const NOUNS = words(`
  answer basket bridge button candle canvas carpet castle circle cotton desert dinner engine fabric falcon forest
  garden hammer harbor island jacket kettle ladder legend letter marble market meadow mirror motion napkin needle
  number office orange palace pencil pepper pillow planet pocket ribbon rocket saddle salmon sample season shadow
  signal silver sketch socket spring statue stream summer sunset ticket timber tunnel valley velvet vessel violin
  wallet window winter wonder`)
