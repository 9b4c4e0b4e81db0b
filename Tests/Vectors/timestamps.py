# SPDX-License-Identifier: Apache-2.0
# Prints timestamps.txt: moments as datetime and email.utils of Python know them.

import hashlib
from calendar import monthrange
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
YEARS = [1, 4, 100, 400, 999, 1000, 1582, 1600, 1700, 1752, 1800, 1900, 1968, 1969, 1970, 1972,
         1999, 2000, 2001, 2004, 2015, 2024, 2038, 2099, 2100, 2101, 2104, 2400, 4000, 9996, 9999]
MOMENTS = [
    ("the first second there is", (1, 1, 1)),
    ("the second second there is", (1, 1, 1, 0, 0, 1)),
    ("the last second there is", (9999, 12, 31, 23, 59, 59)),
    ("a second before 1970", (1969, 12, 31, 23, 59, 59)),
    ("1970", (1970, 1, 1)),
    ("a second after 1970", (1970, 1, 1, 0, 0, 1)),
    ("a leap day of a century", (2000, 2, 29)),
    ("the moment of the suite", (2015, 8, 30, 12, 36, 0)),
    ("the moment of the documents of S3", (2013, 5, 24)),
    ("the last second of 32 bits", (2038, 1, 19, 3, 14, 7)),
    ("the first second beyond 32 bits", (2038, 1, 19, 3, 14, 8)),
    ("the first second below 32 bits", (1901, 12, 13, 20, 45, 51)),
    ("a century without a leap day", (2100, 2, 28, 23, 59, 59)),
    ("the day after", (2100, 3, 1)),
    ("the example of RFC 9110", (1994, 11, 6, 8, 49, 37)),
    ("the first year of two digits", (1970, 1, 1, 1, 2, 3)),
    ("the last year of two digits", (2069, 12, 31, 23, 59, 59)),
    ("ten digits", (2001, 9, 9, 1, 46, 40)),
]


def unix_seconds(moment):
    return (moment - EPOCH) // timedelta(seconds=1)


def text(moment):
    return moment.isoformat()[:19].replace("-", "").replace(":", "") + "Z"


def http_dates(moment):
    """RFC 9110, 5.6.7: IMF-fixdate, asctime-date, and rfc850-date where its two digits suffice."""
    dates = [format_datetime(moment, usegmt=True), moment.ctime()]
    if 1970 <= moment.year <= 2069:
        dates.append(moment.strftime("%A, %d-%b-%y %H:%M:%S GMT"))
    return dates


def show(name, moment):
    print(f"\nname: {name}\ntext: {text(moment)}\nunix seconds: {unix_seconds(moment)}")
    print(f"day: {moment.year:04}{moment.month:02}{moment.day:02}")
    for date in http_dates(moment):
        print("http date:", date)


def month_ends():
    """The first and the last second of each month."""
    for year in range(1, 10_000):
        for month in range(1, 13):
            day = monthrange(year, month)[1]
            yield datetime(year, month, 1, tzinfo=timezone.utc)
            yield datetime(year, month, day, 23, 59, 59, tzinfo=timezone.utc)


def every_400th_day():
    """And 12,345 seconds more each time, so that the time of day moves as well."""
    moment = datetime(1, 1, 1, tzinfo=timezone.utc)
    last = datetime(9999, 12, 31, 23, 59, 59, tzinfo=timezone.utc)
    step = timedelta(days=400, seconds=12_345)
    while True:
        yield moment
        if last - moment < step:
            return
        moment += step


def line(moment):
    return f"{text(moment)} {unix_seconds(moment)}\n"


def line_with_date(moment):
    return f"{text(moment)} {unix_seconds(moment)} {format_datetime(moment, usegmt=True)}\n"


def show_accumulated(moments, line, what):
    digest = hashlib.sha256()
    count = 0
    for moment in moments():
        digest.update(line(moment).encode())
        count += 1
    print(f"\nname: {what}\ncount: {count}\ndigest: {digest.hexdigest()}")


print("# Printed by timestamps.py, which uses datetime and email.utils of Python. 'digest' is SHA-256")
print("# over a line for every moment: text, space, Unix seconds (space, HTTP date), line feed.")
for name, fields in MOMENTS:
    show(name, datetime(*fields, tzinfo=timezone.utc))
for year in YEARS:
    for month in range(1, 13):
        day = monthrange(year, month)[1]
        show(f"end of {year:04}-{month:02}", datetime(year, month, day, 23, 59, 59,
                                                      tzinfo=timezone.utc))
show_accumulated(month_ends, line, "first and last second of every month")
show_accumulated(every_400th_day, line_with_date, "every 400th day, with HTTP dates")
