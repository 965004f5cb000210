"""What the peers of the grid share: the case, ranks in the pool, weighted, and the cells asked for."""
import sys

from rotation_market import Market, read_case

CASE = read_case(sys.argv[2])
MARKET = Market(sys.argv[1], CASE)


def ranks(close):
    """By factor: ranks in the pool, 1 = best, equal values averaged; and the pool, of who has them all."""
    tables = [close if field == "close" else MARKET.fields[field] for field in CASE["fields"]]
    pool = MARKET.pool(tables[0])
    for table in tables[1:]:
        pool &= table.notna()
    days = MARKET.days[:: MARKET.every]
    return [table.loc[days].where(pool.loc[days]).rank(axis=1) for table in tables], pool


def cost(ranked, weights):
    total = 0
    for table, weight in zip(ranked, weights):
        total = total + weight * table
    return total
